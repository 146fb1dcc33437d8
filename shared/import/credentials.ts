import { encodeForUrl } from '../encode-for-url';
import { mapBesides } from '../map-besides';
import { findSecrets, maskSecrets, replaceSecrets } from '../mask-secrets';
import { encodeBase64 } from '../signing/base64';
import { isCredentialHeader, isSecretName, maskSecret, splitCredential } from '../secrets';
import type { ImportedRequest } from './imported';
import { createValueMask } from './layout/mask-values';

/** All of a request in which a credential may stand. */
export type ProvingParts = Pick<
  ImportedRequest,
  'url' | 'headers' | 'offHeaders' | 'offParameters' | 'variables' | 'description' | 'body'
>;

/** A credential that stood in what was imported: its value goes to the vault or nowhere, never into a file. */
export interface FoundCredential {
  /** Of the variable that stands in its place; `isSecretName` holds for it. */
  name: string;
  value: string;
  /** No value of anything: it stood where one is still to be put. */
  isPlaceholder?: true;
}

/** Gives variables for the literal credentials of one import: the same value has the same one, a placeholder that of its field. */
export interface CredentialBook {
  /** Gives `{{name}}` for a literal value, and for what stands beside a variable in it and may be a secret; what is empty stays as it is. */
  hide(wantedName: string, value: string): string;
  /** Keeps names for something else from now on. */
  reserve(names: Iterable<string>): void;
  list(): FoundCredential[];
  /** Names of the variables that stood where a credential stands. */
  listVariables(): ReadonlySet<string>;
}

/** Values that are credentials whatever they are called: JWTs, private keys, keys with the mark of their maker. */
const shapes =
  /\beyJ[\w-]{8,2000}\.[\w-]{8,8000}\.[\w-]{0,2000}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----|\b(?:(?:sk|rk)_(?:live|test)_\w{8,200}|gh[pousr]_\w{20,200}|xox[abprs]-[\w-]{10,200}|AKIA[0-9A-Z]{16}\b|whsec_[\w+/=-]{16,200})/g;
/** What tools and authors write where a value is still to be put: `<string>`, `{api_key}`, `YOUR_KEY_2`, `xxxx`. */
const placeholder =
  /^(?:<[a-z][a-z .,:/_-]{0,100}\d{0,2}>|\{[a-z][a-z ._-]{0,100}\d{0,2}\}|(?:your|insert|enter|replace)[ _-](?:[a-z]{1,20}[ _-]){0,5}(?:credentials?|here|id|key|me|password|secret|token|value)(?:[ _-]?\d{1,2})?|[x*.•]{3,100})$/i;
const schemeAndValue = /^(?:Bearer|Basic|Token|Digest|ApiKey)\s+\S{4,}$/i;

/** Tells whether a text holds what is a credential by its look. */
export function looksLikeCredential(value: string): boolean {
  return value.search(shapes) !== -1 || (schemeAndValue.test(value) && !value.includes('{{'));
}

/** Many fields have one and the same: it says nothing of which of them belong together, and is no value of any. */
export function isPlaceholder(value: string): boolean {
  // What our own samples of a schema have in the place of a text is cut or lengthened to what the schema asks for.
  const isSample =
    value.length > 2 && value.length <= 200 && 'string'.repeat(Math.ceil(value.length / 6)).startsWith(value);
  return isSample || placeholder.test(value);
}

/** Tells whether a text is or holds a credential, by its look or by the name that stands beside it (`?api_key=…`). */
export function holdsCredential(value: string): boolean {
  return looksLikeCredential(value) || findSecrets(value).length > 0;
}

/** @param taken - names of variables that mean something else */
export function createCredentialBook(taken: Iterable<string> = []): CredentialBook {
  const found = new Map<string, FoundCredential>();
  const used = new Set(taken);
  const counts = new Map<string, number>();
  const variables = new Set<string>();
  const book: CredentialBook = {
    hide(wantedName, value) {
      for (const [, name = ''] of value.matchAll(/\{\{%?([^{}\r\n]{1,240})\}\}/g)) variables.add(name.trim());
      if (value === '') return value;
      if (value.includes('{{')) return mapBesides(value, (part) => book.hide(wantedName, part));
      const wanted = nameSecret(wantedName);
      const isNone = isPlaceholder(value);
      const key = isNone ? `${wanted}\0${value}` : value;
      const known = found.get(key);
      if (known !== undefined) return `{{${known.name}}}`;
      const name = findFree(wanted, used, counts);
      used.add(name);
      found.set(key, isNone ? { name, value, isPlaceholder: true } : { name, value });
      return `{{${name}}}`;
    },
    reserve(others) {
      for (const name of others) used.add(name);
    },
    list: () => [...found.values()],
    listVariables: () => variables,
  };
  return book;
}

/** `X-Api-Key` becomes `x_api_key`; a name that does not tell that it is a secret gets one that does. */
export function nameSecret(wanted: string): string {
  const name = wanted
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .replace(/^(?=\d)/, '_')
    .slice(0, 60)
    .toLowerCase();
  if (name === '') return 'secret';
  return isSecretName(name) ? name : `${name}_secret`;
}

/** Numbers go on from the last that was given. With its number, too, the name tells that it is a secret: the vault takes no other. */
export function findFree(name: string, used: ReadonlySet<string>, counts: Map<string, number>): string {
  const numbered = isSecretName(`${name}_2`) ? name : `${name}_secret`;
  let count = counts.get(name) ?? 1;
  let free = count === 1 ? name : `${numbered}_${count}`;
  for (; used.has(free); free = `${numbered}_${count}`) count += 1;
  counts.set(name, count);
  return free;
}

/** Puts variables in the place of what is a credential in a text, by its name or by its look. */
export function hideInText(text: string, book: CredentialBook): string {
  return replaceSecrets(text, (value, name) => book.hide(name, value)).replace(shapes, (value) =>
    book.hide('token', value),
  );
}

/** Shorter ones, and words, may stand in other texts by chance. */
const isUnmistakable = ({ value, isPlaceholder: isNone }: FoundCredential): boolean =>
  isNone !== true && value.length >= 12 && /\d/.test(value) && /[a-z]/i.test(value);

/** As a text may have it: itself, encoded in an address, escaped in JSON, where a slash may be, too. */
function listSpellings(value: string): string[] {
  const inAddress = encodeForUrl(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  return [
    value,
    inAddress,
    inAddress.replace(/%../g, (byte) => byte.toLowerCase()),
    inJson,
    inJson.replaceAll('/', '\\/'),
  ];
}

/**
 * Makes what hides a credential wherever else it stands, once all are found: the token of a header in an address, a note, another
 * request.
 */
export function createRepeatHiding(
  found: readonly FoundCredential[],
  write = (name: string): string => `{{${name}}}`,
): (text: string) => string {
  const names = new Map(
    found.filter(isUnmistakable).flatMap(({ name, value }) => listSpellings(value).map((one) => [one, name])),
  );
  const hide = createValueMask([...names.keys()], (value) => write(names.get(value)!));
  const mayHold = (text: string): boolean =>
    names.size > 200 || [...names.keys()].some((value) => text.includes(value));
  const besides = (text: string): string =>
    text
      .split(/(\{\{[^{}\r\n]*\}\})/)
      .map((part, at) => (at % 2 === 1 ? part : (hide(part) ?? part)))
      .join('');
  return (text) => (mayHold(text) ? besides(text) : text);
}

/** Puts variables in the place of the credentials in a header's value. */
export function hideInHeader(name: string, value: string, book: CredentialBook): string {
  if (!isCredentialHeader(name) && !(schemeAndValue.test(value) && !value.includes('{{'))) {
    return hideBesideVariable(hideInText(value, book), book);
  }
  const { scheme, credential } = splitCredential(value);
  const kind = scheme.trim().toLowerCase();
  const pair = kind === 'basic' ? /^([^:]*):(.*)$/s.exec(credential) : null;
  if (pair !== null) return `${scheme}${hidePair(pair[1] ?? '', pair[2] ?? '', book)}`;
  const wanted = { bearer: 'bearer_token', basic: 'basic_credential' }[kind] ?? name;
  if (/cookie$/i.test(name) && value.includes('{{'))
    return value.replace(cookieValue, (one) => book.hide(name, one));
  const hidden = book.hide(wanted, credential);
  if (hidden !== credential) return scheme + hidden;
  return scheme + hideBesideVariable(hidden, book);
}

const cookieValue = /(?<==)[^;]+/g;

/** What follows a scheme within a value that is no credential as a whole, and is no word: `{{tenant}} Bearer 9f8e…`. */
const besideVariable = /(?<=\b(?:Bearer|Basic) {1,64})(?=[^\s\d]{0,200}\d)[\w.~+/-]{8,4000}={0,2}(?![\w=])/gi;

/** Hides the credentials in a value that stands as it is for a variable in it. */
function hideBesideVariable(value: string, book: CredentialBook): string {
  if (!value.includes('{{')) return value;
  return value.replace(besideVariable, (token) => book.hide('bearer_token', token));
}

/** A user without a password is a key, as many services take it. */
export function hidePair(user: string, password: string, book: CredentialBook): string {
  // A blank in a name would part it from the password in our own form of the header.
  const isOdd = user === '' || /\s/.test(user.replace(/\{\{[^{}]*\}\}/g, ''));
  if (isOdd && !`${user}${password}`.includes('{{')) {
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    return book.hide('basic_credential', encodeBase64(bytes));
  }
  return password === '' ? `${book.hide('api_key', user)}:` : `${user}:${book.hide('password', password)}`;
}

/** Masks what is a credential in a text that nobody sends, by its name or by its look. */
export function maskCredentials(text: string): string {
  return maskSecrets(text).replace(shapes, (value) => maskSecret(value));
}

/** Gives a request whose literal credentials are variables: those of address, headers, body and file variables. */
export function hideCredentials<Request extends ProvingParts>(
  request: Request,
  book: CredentialBook,
): Request {
  const { body } = request;
  const parts = body?.parts.map((part) => (typeof part === 'string' ? hideInText(part, book) : part)) ?? [];
  const isChanged = body !== null && parts.some((part, index) => part !== body.parts[index]);
  return {
    ...request,
    url: hideInText(request.url, book),
    offHeaders: request.offHeaders.map((row) => ({ ...row, value: hideInHeader(row.name, row.value, book) })),
    offParameters: request.offParameters.map((row) => ({
      ...row,
      value: isSecretName(row.name) ? book.hide(row.name, row.value) : hideInText(row.value, book),
    })),
    headers: request.headers.map(([name, value]) => [name, hideInHeader(name, value, book)]),
    variables: request.variables.map(([name, value]) => [
      name,
      isSecretName(name) ? book.hide(name, value) : hideInHeader(name, value, book),
    ]),
    description: hideInText(request.description, createCredentialBook()),
    // A variable in a body can only be filled in where braces are variables.
    body: isChanged ? { parts } : body,
  };
}
