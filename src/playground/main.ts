/**
 * The document's script. It is the page, and in a worker it answers questions about long texts: both need the whole library,
 * which is therefore in the document once.
 */

if (typeof document === 'undefined') void startWorker()
else void import('./page.js')

async function startWorker(): Promise<void> {
  const { resultOf } = await import('./outputs-of.js')
  addEventListener('message', ({ data }: MessageEvent<import('./outputs-of.js').Question>) =>
    postMessage(resultOf(data)),
  )
}
