import { maskSecrets } from '@shared/mask-secrets';
import { maskSecret } from '@shared/secrets';

/**
 * Masks secrets in a text that is kept and shown: those that were sent, in whatever form they come back, and what is
 * secret by its name.
 *
 * Everything else stays byte for byte.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap(listForms)
    .reduce(
      (rest, form) => (rest.includes(form) ? rest.replaceAll(form, maskSecret(form)) : rest),
      maskSecrets(text),
    );
}

/** A shorter text would be found by chance in another's Base64. */
const SHORTEST_ENCODED = 8;

/** How a secret may come back: as it is, escaped in JSON or a URL, in hex, or within something in Base64. */
function listForms(secret: string): string[] {
  if (secret === '') return [];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, escaped, escaped.replaceAll('/', '\\/'), ...listUrlForms(secret)];
  if (secret.length >= SHORTEST_ENCODED) {
    const bytes = Buffer.from(secret, 'utf8');
    const hex = bytes.toString('hex');
    const base64 = [0, 1, 2].map((shift) => encodeWithin(bytes, shift));
    const urlSafe = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
    const json = base64.map((form) => form.replaceAll('/', '\\/'));
    forms.push(hex, hex.toUpperCase(), ...base64.flatMap((form) => [form, ...listUrlForms(form)]));
    forms.push(...urlSafe, ...json);
  }
  return [...new Set(forms)];
}

function listUrlForms(text: string): string[] {
  const encoded = encodeURIComponent(text);
  return [encoded, encoded.replace(/%../g, (escape) => escape.toLowerCase())];
}

/**
 * Gives the Base64 characters that bytes alone decide, where `shift` bytes (modulo 3) stand before them: those at the
 * edges depend on the neighbours.
 */
function encodeWithin(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isOpen = (shift + bytes.length) % 3 !== 0;
  return text.slice(shift === 0 ? 0 : shift + 1, isOpen ? -1 : undefined);
}
