import { decodeBase64 } from '../../signing/base64';
import type { Form, WebhookDeviation } from './deviation';

const PREFIX = 'whsec_';
const utf8 = new TextEncoder();
const remedy = `the key is what stands behind ${PREFIX}, decoded from Base64 into bytes`;

const wrong = (phrase: string): WebhookDeviation => ({ part: 'secret', phrase, remedy });

/**
 * Lists what senders take for the key of an HMAC, the right one first.
 *
 * @param secret - `whsec_…`, or its Base64 alone
 */
export function listSecretForms(secret: string): Form<Uint8Array>[] {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = decodeAny(text);
  const asLetters = [...bytes].map((byte) => String.fromCharCode(byte)).join('');
  const forms: [Uint8Array, string | null][] = [
    [bytes, null],
    [utf8.encode(PREFIX + text), `with the text of the secret, ${PREFIX} and all, as the key`],
    [utf8.encode(text), `with the Base64 behind ${PREFIX} as the key, not decoded`],
    [utf8.encode(`${PREFIX}${text}\n`), 'with the text of the secret and a line feed as the key'],
    [decodeAny(PREFIX + text), `with a key that was decoded from Base64 together with its ${PREFIX}`],
    [decodeAny('whsec' + text), `with a key that was decoded from Base64 together with its ${PREFIX}`],
    [utf8.encode(asLetters), 'with the key decoded into a text (atob) that became UTF-8 again'],
    [utf8.encode(new TextDecoder().decode(bytes)), 'with the decoded key read as UTF-8 text'],
  ];
  return forms.map(([value, phrase]) => ({
    value,
    deviation: phrase === null ? null : wrong(phrase),
    isCommon: true,
  }));
}

/** Both alphabets, as lenient decoders take them. */
function decodeAny(text: string): Uint8Array {
  return decodeBase64(text.replace(/-/g, '+').replace(/_/g, '/'));
}
