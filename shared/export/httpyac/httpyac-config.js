/* global plan, readSignedValues, readStringToSign */
const { createPrivateKey, sign } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Stand in the requests until they leave. */
const marks = { signature: 'countersign-signature', reference: 'countersign-last-reference' };
const tokenMark = /countersign-token-([a-z]+)/g;
/** httpYac reads this file anew for each file of requests; what is kept must outlive that. */
const store = Symbol.for('countersign.export');
const kept = (globalThis[store] = globalThis[store] || { tokens: {}, references: {} });
const pending = new WeakMap();
const originOf = (address) => (/^\s*(https?:\/\/[^/?#\\]+)/i.exec(address) || ['', ''])[1].toLowerCase();

async function fetchToken(product, { base_url: baseUrl, consumer_key: key, consumer_secret: secret }) {
  const answer = await fetch(`${baseUrl}${plan.tokenPath}`, {
    method: 'POST',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ consumer_key: key, consumer_secret: secret, product }),
  });
  const { access_token: token, expires_in: seconds } = await answer.json().catch(() => ({}));
  if (typeof token === 'string') return { token, until: Date.now() + (Number(seconds) || 60) * 1000 - 30000 };
  throw new Error(
    `No token for ${product}: the service answered ${answer.status}. Check base_url, consumer_key and consumer_secret.`,
  );
}

/** Gives a token of a product: the one that is kept for this service and key, else a new one. */
async function getToken(product, variables) {
  const owner = `${variables.base_url} ${variables.consumer_key} ${product}`;
  const known = kept.tokens[owner];
  if (known !== undefined && known.until > Date.now()) return known.token;
  kept.tokens[owner] = await fetchToken(product, variables);
  return kept.tokens[owner].token;
}

/** Reads the key: its PEM, or the path of a PEM file beside this one. */
function readKey(value) {
  if (!value)
    throw new Error('Nothing is signed: set private_key to your key, as PEM or as the path of a PEM file.');
  const pem = value.includes('-----BEGIN') ? value : readFileSync(join(__dirname, value), 'utf8');
  return createPrivateKey(pem.replace(/\\r/g, '').replace(/\\n/g, '\n'));
}

function signBody(body, variables) {
  const text = readStringToSign(body);
  return sign('sha256', Buffer.from(text), readKey(variables.private_key)).toString('base64');
}

/** Keeps the reference of a payment that was accepted, for the lookups that follow. */
function keepReference({ statusCode }, { request }) {
  const sent = pending.get(request);
  if (sent === undefined || statusCode >= 300) return;
  try {
    const { reference } = readSignedValues(sent.body);
    if (typeof reference === 'string') {
      Object.assign(kept.references, { [sent.product]: reference, last: reference });
    }
  } catch {
    // No JSON: nothing to look up by.
  }
}

/** Sends a request again that met the rate limit, with the same reference, once the service allows it. */
async function sendAgain(client, response, context) {
  for (let attempts = 1; response.statusCode === 429 && attempts < 5; attempts += 1) {
    const seconds = Math.min(Number(response.headers && response.headers['retry-after']) || 1, 30);
    await new Promise((done) => setTimeout(done, seconds * 1000));
    Object.assign(response, await client.exchange(context.request, { isMainContext: false }));
  }
}

/** Reads the environments that were chosen, the first one where none was: what all share, then their own values. */
function readEnvironment(chosen) {
  const files = ['http-client.env.json', 'http-client.private.env.json']
    .map((file) => join(__dirname, file))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const first = Object.keys(files[0] || {}).find((name) => name !== '$shared');
  const names = chosen === undefined || chosen.length === 0 ? [first] : chosen;
  return Object.assign({}, ...['$shared', ...names].flatMap((name) => files.map((file) => file[name])));
}

/** Fills in what only the moment of sending knows: the last reference, then token and signature. */
async function prepare(request, { variables }) {
  // As in the app: neither token nor signature goes where an answer points to.
  request.noRedirect = true;
  const headers = request.headers || {};
  const [, product] = tokenMark.exec(Object.values(headers).join('\n')) || [];
  tokenMark.lastIndex = 0;
  const last = kept.references[product] || kept.references.last || '';
  const fill = (text) => text.split(marks.reference).join(last);
  if (request.url) request.url = fill(request.url);
  if (typeof request.body === 'string') request.body = fill(request.body);
  const isHome = originOf(request.url || '') === originOf(String(variables.base_url));
  const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : String(request.body || '');
  if (isHome && product) pending.set(request, { product, body });
  for (const name of Object.keys(headers)) {
    if (typeof headers[name] !== 'string') continue;
    let value = fill(headers[name]);
    // Tokens and signatures are for their own service alone.
    for (const [mark, one] of value.matchAll(tokenMark)) {
      value = value.replace(mark, isHome ? await getToken(one, variables) : '');
    }
    if (value.includes(marks.signature)) {
      value = value.replace(marks.signature, isHome ? signBody(body, variables) : '');
    }
    headers[name] = value;
  }
}

module.exports = {
  // A header Cookie is sent as it stands, with its own request alone.
  cookieJarEnabled: false,
  configureHooks(api) {
    api.hooks.provideVariables.addHook('countersign', (environments) => ({
      ...readEnvironment(environments),
      token: Object.fromEntries(plan.products.map((product) => [product, `countersign-token-${product}`])),
      signature: marks.signature,
      last_reference: marks.reference,
    }));
    api.hooks.onRequest.addHook('countersign', prepare);
    api.hooks.onResponse.addHook('countersign', async (response, context) => {
      await sendAgain(api.httpClientProvider, response, context);
      keepReference(response, context);
    });
  },
};
