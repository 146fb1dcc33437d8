import type { ImportedRequest } from '../imported';
import { listBraces } from '../variables';

/** No environment has these: they are made or known when the request is sent. */
const filledIn = /^\{\{\s*(?:\$|(?:token\.\w+|signature|last_reference)\s*\}\}$)/;

type Parts = Readonly<Record<'address' | 'headers' | 'body', string>>;

const partsOf = ({ url, headers, body }: ImportedRequest): Parts => ({
  address: url,
  headers: headers.flat().join('\n'),
  body:
    body?.isVerbatim === true ? '' : (body?.parts ?? []).filter((part) => typeof part === 'string').join(''),
});

/**
 * Says of braces that were text in a format without variables that they are variables here: many write a variable so, as
 * other tools do, and many do not mean one.
 *
 * @param given - as it was read; what stands in `written` alone was put there by us
 * @param isInFile - the body stands in a file beside it, where nothing is a variable
 */
export function noteBraces(
  given: ImportedRequest,
  written: ImportedRequest,
  isText: (braces: string) => boolean,
  isInFile: boolean,
): string[] {
  const before = listBraces(Object.values(partsOf(given)).join('\n'));
  const after = partsOf(written);
  const listIn = (part: keyof Parts): string[] =>
    [...listBraces(after[part])].filter((one) => before.has(one) && isText(one));
  return [
    ...describe('Its address has', listIn('address')),
    ...describe('Its headers have', listIn('headers')),
    ...describe(
      'Its body has',
      isInFile ? [] : listIn('body'),
      'To send it as it stands, put the body into a file beside the request and write `< ./file` in its place.',
    ),
  ];
}

function describe(what: string, braces: readonly string[], asText?: string): string[] {
  const [first, ...others] = braces;
  if (first === undefined) return [];
  const [more, are, it] =
    others.length === 0
      ? ['', 'is sent as it stands there; here it is a variable', 'it a value']
      : [
          ` and ${others.length} more`,
          'are sent as they stand there; here they are variables',
          'them values',
        ];
  const way = asText ?? (braces.every((one) => filledIn.test(one)) ? null : `Give ${it} in Environments.`);
  return [[`${what} ${quote(first)}${more}, which ${are}.`, way].filter(Boolean).join(' ')];
}

const quote = (braces: string): string => (braces.length > 44 ? `${braces.slice(0, 40)}…` : braces);
