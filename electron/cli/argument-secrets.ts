import { encodeForUrl } from '@shared/encode-for-url';
import { findSecrets } from '@shared/mask-secrets';
import { isSecretName, maskSecret } from '@shared/secrets';

/** A secret as it was typed into an argument, and what stands in front of it there. */
interface TypedSecret {
  readonly before: string;
  readonly secret: string;
}

/** No end of a secret is shown: one that was masked is not taken for the beginning of another. */
const MASK = maskSecret('');
/** A shorter one may be a part of any word, and is known by what stands in front of it alone. */
const SHORTEST_ALONE = 8;
/** Of a secret that a sentence was cut within so much is told apart from another text behind the same words. */
const SHORTEST_BEGINNING = 3;
const LONGEST_BEFORE = 12;
/** A user without a password is a token from so many characters on. */
const SHORTEST_TOKEN = 20;

const SCHEME = /[a-z][a-z\d+.-]{0,40}:\/{1,3}/i;
const PORT = /^\d{0,5}$/;
/** `name:password@host`, as it is pasted without a scheme; a way of tunnels has a host there. */
const WITHOUT_SCHEME = /^(?:--?[\w-]{1,80}=)?(?!(?:ssh|cmd|mailto):)[^\s/:@=]{1,200}:(?=[^\s]{1,400}@)/i;

/**
 * Makes what masks, in anything that is said, the secrets of the arguments that a program was called with: passwords of
 * addresses, broken ones too, values that are secret by their name, and those of options that are.
 *
 * What is refused is quoted so that it is found again; whoever reads the log of a build need not find the password with it.
 */
export function createArgumentMask(args: readonly string[]): (text: string) => string {
  const typed = args.flatMap((arg, at) => [...listTyped(arg), ...listOptionValue(args[at - 1], arg)]);
  return (text) => typed.reduce(maskTyped, text);
}

function listTyped(arg: string): TypedSecret[] {
  const place = findPassword(arg);
  const found = findSecrets(arg).map((secret) => placeOf(arg, arg.indexOf(secret), secret));
  if (place === null) return found;
  const typed = placeOf(arg, place.from, arg.slice(place.from, place.to));
  // Encoded it goes on where the secret itself, as far as both are the same, would end.
  return [{ ...typed, secret: encodeForUrl(typed.secret) }, typed, ...found];
}

const placeOf = (arg: string, at: number, secret: string): TypedSecret => ({
  before: arg.slice(Math.max(0, at - LONGEST_BEFORE), Math.max(0, at)),
  secret,
});

function listOptionValue(option: string | undefined, value: string): TypedSecret[] {
  const isValue = option?.startsWith('--') === true && !value.startsWith('--');
  return isValue && isSecretName(option.slice(2)) ? [{ before: '', secret: value }] : [];
}

/** Finds the password of an address; null: it has none. */
function findPassword(arg: string): { from: number; to: number } | null {
  const to = arg.lastIndexOf('@');
  if (to < 1) return null;
  const scheme = SCHEME.exec(arg);
  if (scheme === null) {
    const before = WITHOUT_SCHEME.exec(arg)?.[0].length;
    return before === undefined || before >= to ? null : { from: before, to };
  }
  const from = scheme.index + scheme[0].length;
  const length = arg.slice(from).search(/[/?#\\]/);
  const authority = length === -1 ? arg.slice(from) : arg.slice(from, from + length);
  const [user = ''] = authority.split(':', 1);
  const isPort = user.length === authority.length || PORT.test(authority.slice(user.length + 1));
  // A password that has one of the signs that end a host, unescaped: what stands for its port is none.
  const end = authority.includes('@') ? from + authority.lastIndexOf('@') : isPort ? -1 : to;
  if (end <= from) return null;
  if (user.length < end - from) return { from: from + user.length + 1, to: end };
  return end - from < SHORTEST_TOKEN ? null : { from, to: end };
}

function maskTyped(text: string, { before, secret }: TypedSecret): string {
  if (secret === '') return text;
  const rest = before === '' ? text : maskBehind(text, before, secret);
  return secret.length < SHORTEST_ALONE ? rest : rest.replaceAll(secret, MASK);
}

/** Masks a secret, and the beginning of one that was cut, behind the words that it was typed behind. */
function maskBehind(text: string, before: string, secret: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let at = text.indexOf(before); at !== -1; at = text.indexOf(before, Math.max(kept, at + 1))) {
    const from = at + before.length;
    let length = 0;
    while (length < secret.length && text[from + length] === secret[length]) length += 1;
    if (length < Math.min(SHORTEST_BEGINNING, secret.length)) continue;
    pieces.push(text.slice(kept, from), MASK);
    kept = from + length;
  }
  return pieces.join('') + text.slice(kept);
}
