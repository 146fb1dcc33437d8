/* global pm, plan, drawValue, readSignedValues, readStringToSign, signText */

const read = (name) => pm.variables.replaceIn(`{{${name}}}`).replace(`{{${name}}}`, '');
const originOf = (address) => (/^\s*(https?:\/\/[^/?#\\]+)/i.exec(address) || ['', ''])[1].toLowerCase();
const headers = pm.request.headers
  .all()
  .map(({ value }) => value)
  .join('\n');
const product = (/\{\{token\.([a-z]+)\}\}/.exec(headers) || [])[1];
const isSigned = headers.includes('{{signature}}');

/** Sets the values that Postman has no variables of its own for: drawn anew for each request. */
function setDrawnValues() {
  const now = new Date();
  for (const name of plan.names) {
    // A value of the globals counts where the collection has none.
    if (!pm.variables.get(name) && pm.globals.get(name)) pm.variables.set(name, pm.globals.get(name));
  }
  for (const name of Object.keys(plan.drawn)) pm.variables.set(name, drawValue(plan.drawn[name], now));
  const last = product && pm.collectionVariables.get(`last_reference.${product}`);
  if (last) pm.variables.set('last_reference', last);
  for (const name of Object.keys(plan.encoded)) {
    pm.variables.set(name, encodeURIComponent(read(plan.encoded[name])));
  }
}

/** Fills the body in once, so that what is signed is what is sent; what is sent again stays the same. */
function pinBody() {
  const { body } = pm.request;
  if (!body || body.mode !== 'raw' || !body.raw) return '';
  const written = body.raw;
  const again = JSON.parse(pm.collectionVariables.get('retry') || '{}');
  const isSame = again.id === pm.info.requestId && again.written === written;
  const text = isSame ? again.text : pm.variables.replaceIn(written);
  pm.variables.set('sent', JSON.stringify({ written, text, product }));
  body.update({ mode: 'raw', raw: text, options: body.options });
  return text;
}

/** What is thrown once an answer is there is lost: a failed test is what runners show. */
function failForToken(reason) {
  pm.test(`A token for ${product}`, () => {
    throw new Error(reason);
  });
}

function fetchToken(name, owner) {
  const request = {
    url: `${read('base_url')}${plan.tokenPath}`,
    method: 'POST',
    header: { 'Content-Type': 'application/json' },
    body: {
      mode: 'raw',
      raw: JSON.stringify({
        consumer_key: read('consumer_key'),
        consumer_secret: read('consumer_secret'),
        product,
      }),
    },
  };
  pm.sendRequest(request, (error, response) => {
    if (error) {
      failForToken(error.message);
      return;
    }
    let answer = {};
    try {
      answer = response.json();
    } catch (unreadable) {
      // Said below: an answer without a token.
    }
    if (typeof answer.access_token !== 'string') {
      failForToken(
        `The service answered ${response.code}. Check base_url, consumer_key and consumer_secret.`,
      );
      return;
    }
    const until = Date.now() + (Number(answer.expires_in) || 60) * 1000 - 30000;
    pm.collectionVariables.set(`${name}.kept`, JSON.stringify({ owner, until, token: answer.access_token }));
    pm.variables.set(name, answer.access_token);
  });
}

/** Puts a token of the request's product in its place: the one that is kept, else a new one. */
function setToken() {
  const name = `token.${product}`;
  if (read('consumer_key') === '' && read(name) !== '') return;
  const owner = `${read('base_url')} ${read('consumer_key')}`;
  const kept = JSON.parse(pm.collectionVariables.get(`${name}.kept`) || '{}');
  if (kept.owner === owner && kept.until > Date.now()) pm.variables.set(name, kept.token);
  else fetchToken(name, owner);
}

function setSignature(text) {
  pm.variables.set('signature', '');
  if (read('private_key') === '') {
    throw new Error('Nothing is signed: set the variable private_key to your key, as PEM.');
  }
  pm.variables.set('signature', signText(readStringToSign(text), read('private_key')));
}

function prepare() {
  setDrawnValues();
  const text = pinBody();
  if (!product && !isSigned) return;
  const address = pm.variables.replaceIn(pm.request.url.toString());
  if (originOf(address) !== originOf(read('base_url'))) {
    // Tokens and signatures are for their own service alone.
    if (product) pm.variables.set(`token.${product}`, '');
    pm.variables.set('signature', '');
    pm.variables.set('sent', '{}');
    console.warn(`No token and no signature go to ${originOf(address)}: they are for base_url.`);
    return;
  }
  if (isSigned) setSignature(text);
  if (product) setToken();
}

prepare();
