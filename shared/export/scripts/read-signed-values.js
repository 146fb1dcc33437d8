/**
 * Reads what the signature covers from the body as it is sent: texts decoded, numbers as they stand in it.
 * Of a key that stands there twice the last one counts, as for any reader of JSON.
 */
function readSignedValues(body) {
  JSON.parse(body);
  // Numbers become texts, so that 1000.00 stays 1000.00.
  const quoted = body.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (found) =>
    found[0] === '"' ? found : `"${found}"`,
  );
  const root = JSON.parse(quoted);
  const member = (owner, name) =>
    owner !== null && typeof owner === 'object' && Object.prototype.hasOwnProperty.call(owner, name)
      ? owner[name]
      : undefined;
  const transaction = member(root, 'transaction');
  return {
    reference: member(transaction, 'reference'),
    amount: member(transaction, 'amount'),
    country: member(member(root, 'originator'), 'country'),
    service_code: member(transaction, 'service_code'),
  };
}

/** Joins the four values without anything between them. */
function readStringToSign(body) {
  const values = readSignedValues(body);
  const missing = Object.keys(values).find((name) => typeof values[name] !== 'string');
  if (missing !== undefined) throw new Error(`The body has no ${missing} that can be signed.`);
  return Object.values(values).join('');
}
