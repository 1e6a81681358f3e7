/**
 * The document's script, which is the page, and in a worker what reads long texts for it: both need all of the library, so
 * that it is in the document once.
 */

if (typeof document === 'undefined') void import('./answering.js')
else void import('./page.js')
