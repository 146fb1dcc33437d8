/** Reads the next value of a DER structure: its tag, and where what it holds begins and ends. */
function readDer(bytes, at) {
  let length = bytes[at + 1];
  let start = at + 2;
  if (length > 127) {
    const count = length - 128;
    length = 0;
    for (let index = 0; index < count; index += 1) length = length * 256 + bytes[start + index];
    start += count;
  }
  return { tag: bytes[at], start, end: start + length };
}

/** Lists the values inside a sequence. */
function listDer(bytes, outer) {
  const values = [];
  for (let at = outer.start; at < outer.end; at = values[values.length - 1].end)
    values.push(readDer(bytes, at));
  return values;
}

function toBigInt(bytes, start, end) {
  let hex = '';
  for (let at = start; at < end; at += 1) hex += bytes[at].toString(16).padStart(2, '0');
  return BigInt(`0x${hex}`);
}

/** Reads modulus and private exponent of a PEM key, PKCS#8 or PKCS#1. */
function readPrivateKey(pem) {
  // One line with \n in it is what environment variables and some fields make of a key.
  const text = pem.replace(/\\r/g, '').replace(/\\n/g, '\n');
  const found = /-----BEGIN (?:RSA )?PRIVATE KEY-----([^-]+)-----END/.exec(text);
  if (found === null || /ENCRYPTED/.test(text)) {
    throw new Error(
      'private_key holds no RSA key that can be read: give it as PEM, PKCS#8 (BEGIN PRIVATE KEY), without a passphrase.',
    );
  }
  const binary = atob(found[1].replace(/[^A-Za-z0-9+/=]/g, ''));
  const bytes = Array.from(binary, (character) => character.charCodeAt(0));
  const outer = listDer(bytes, readDer(bytes, 0));
  // PKCS#8 has the name of the algorithm second, and the PKCS#1 key within its third value.
  const fields = outer[1].tag === 0x30 ? listDer(bytes, readDer(bytes, outer[2].start)) : outer;
  return {
    modulus: toBigInt(bytes, fields[1].start, fields[1].end),
    exponent: toBigInt(bytes, fields[3].start, fields[3].end),
  };
}

function raise(base, exponent, modulus) {
  let result = BigInt(1);
  let power = base;
  for (const bit of Array.from(exponent.toString(2)).reverse()) {
    if (bit === '1') result = (result * power) % modulus;
    power = (power * power) % modulus;
  }
  return result;
}

/** Signs a text: RSA PKCS#1 v1.5 with SHA-256, in standard Base64. */
function signText(text, pem) {
  const CryptoJS = require('crypto-js');
  const key = readPrivateKey(pem);
  // Half a character has no bytes of its own: it goes out as U+FFFD.
  const whole = text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (one) =>
    one.length === 2 ? one : '\uFFFD',
  );
  const hash = CryptoJS.SHA256(CryptoJS.enc.Utf8.parse(whole)).toString(CryptoJS.enc.Hex);
  const digest = `3031300d060960864801650304020105000420${hash}`;
  const size = Math.ceil(key.modulus.toString(16).length / 2);
  const padded = `0001${'ff'.repeat(size - 3 - digest.length / 2)}00${digest}`;
  const signature = raise(BigInt(`0x${padded}`), key.exponent, key.modulus)
    .toString(16)
    .padStart(size * 2, '0');
  return btoa(signature.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}
