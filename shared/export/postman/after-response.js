/* global pm, readSignedValues */

/** So often a request that met the rate limit is sent again in one run, with the same reference. */
const mostAttempts = 5;

/** Keeps the reference of a payment that was accepted, for the lookups that follow. */
function keepReference({ text, product }) {
  if (!product || !text || pm.response.code >= 300) return;
  let reference;
  try {
    reference = readSignedValues(text).reference;
  } catch (error) {
    return; // No JSON: nothing to look up by.
  }
  if (typeof reference !== 'string' || reference === '') return;
  pm.collectionVariables.set('last_reference', reference);
  pm.collectionVariables.set(`last_reference.${product}`, reference);
}

/** Has the runner send a request again that met the rate limit, once the service allows it. */
function sendAgain({ written, text }) {
  const before = JSON.parse(pm.collectionVariables.get('retry') || '{}');
  const attempts = (before.id === pm.info.requestId ? before.attempts : 0) + 1;
  if (pm.response.code !== 429 || attempts >= mostAttempts) {
    pm.collectionVariables.unset('retry');
    return;
  }
  pm.collectionVariables.set('retry', JSON.stringify({ id: pm.info.requestId, attempts, written, text }));
  pm.execution.setNextRequest(pm.info.requestId);
  const seconds = Math.min(Number(pm.response.headers.get('Retry-After')) || 1, 30);
  setTimeout(() => {}, seconds * 1000);
}

const sent = JSON.parse(pm.variables.get('sent') || '{}');
keepReference(sent);
sendAgain(sent);
