/**
 * The document's script. It is the page, and in a worker it reads long texts: both need the whole library, which is
 * therefore in the document once.
 */

if (typeof document === 'undefined') void import('./answering.js')
else void import('./page.js')
