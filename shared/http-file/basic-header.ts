import { encodeBase64 } from '../signing/base64';
import { findExpression } from './find-expression';
import { isVaultExpression } from './vault-reference';

/**
 * Fills in a header, and makes of `Basic user password` and `Basic user:password`, as people write them, what the
 * standard asks for (RFC 7617).
 *
 * What is user and what is password stands in the text with its `{{…}}`: a value may have blanks and colons of its own.
 * One with a value that only the back end has stays as it is until that value is there.
 * @param fill - puts values in the place of their names
 */
export function encodeBasic(name: string, text: string, fill: (text: string) => string): string {
  if (!/^(?:proxy-)?authorization$/i.test(name)) return fill(text);
  const written = readBasic(text);
  const filled = written === null ? fill(text) : '';
  const found = written === null ? readBasic(filled) : fillBasic(written, fill);
  if (found === null) return filled;
  const { scheme, user, between, password } = found;
  if (findExpression(user, 0) !== null || findExpression(password, 0) !== null)
    return `${scheme}${user}${between}${password}`;
  return `${scheme.trimEnd()} ${encodeBase64(new TextEncoder().encode(`${user}:${password}`))}`;
}

/** The parts of a header as written, in order: joined, they are its text. */
export interface BasicHeader {
  scheme: string;
  user: string;
  between: string;
  password: string;
}

const fillBasic = (written: BasicHeader, fill: (text: string) => string): BasicHeader => ({
  ...written,
  user: fill(written.user),
  password: fill(written.password),
});

/** Reads user and password as people write them; null: there is one word, which is encoded already, or another scheme. */
export function readBasic(text: string): BasicHeader | null {
  const scheme = /^Basic[ \t]+/i.exec(text)?.[0];
  if (scheme === undefined) return null;
  const rest = text.slice(scheme.length);
  const { userEnd, passwordStart } = splitCredentials(rest);
  if (passwordStart === -1) return null;
  const [user, between] = [rest.slice(0, userEnd), rest.slice(userEnd, passwordStart)];
  return { scheme, user, between, password: rest.slice(passwordStart) };
}

/** Stands for each character of a `{{…}}`, which is neither blank nor colon whatever its value has. */
const inValue = '\uFFFC';

function splitCredentials(text: string): { userEnd: number; passwordStart: number } {
  let shape = '';
  let last = -1;
  let isOfVault = false;
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    const { start, end } = found;
    shape += text.slice(shape.length, start) + inValue.repeat(end - start);
    if (end === text.length) last = start;
    isOfVault = isVaultExpression(found.name);
  }
  shape += text.slice(shape.length);
  const colon = shape.indexOf(':');
  // Where the password is one value, what stands before it is the user; before the vault's, values stand already.
  if (last > 0 && colon === last - 1) return { userEnd: colon, passwordStart: last };
  const before = shape.slice(0, Math.max(0, last));
  const isBehindBlank = isOfVault && colon === -1 && before.trimEnd() !== '' && /[ \t]$/.test(before);
  if (isBehindBlank) return { userEnd: before.trimEnd().length, passwordStart: last };
  const userEnd = shape.search(/[\s:]/);
  if (userEnd === colon) return { userEnd, passwordStart: colon === -1 ? -1 : colon + 1 };
  const gap = /^[ \t]+(?=\S)/.exec(shape.slice(userEnd))?.[0];
  return { userEnd, passwordStart: gap === undefined ? -1 : userEnd + gap.length };
}
