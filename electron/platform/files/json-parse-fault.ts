import { findConflicts } from '@shared/http-file/find-conflicts';
import { isLfsPointer, POINTER } from '@shared/http-file/lfs-pointer';
import { printParseErrorCode, type ParseError } from 'jsonc-parser';

const words: Readonly<Partial<Record<string, string>>> = {
  InvalidSymbol: 'what stands there is no value',
  InvalidNumberFormat: 'a number that is none',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'more follows behind its end',
  InvalidCommentToken: 'a comment, which JSON has none of',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'an escape \\u that is none',
  InvalidEscapeCharacter: 'an escape that JSON does not have',
  InvalidCharacter: 'a control character in a text',
};

/** What a merge leaves around two versions, where somebody removed a part of it. @source git-merge(1), HOW CONFLICTS ARE PRESENTED */
const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/m;

/**
 * Says where and why a text is no JSON object.
 *
 * @param error - the first that the parser found; left out: it is JSON of another kind
 * @returns the line counts from 1
 */
export function describeParseFault(
  text: string,
  error: ParseError | undefined,
): { readonly line: number; readonly what: string } {
  if (error === undefined) return { line: 1, what: 'no object' };
  if (isLfsPointer(text)) return { line: 1, what: POINTER };
  const [conflict] = findConflicts(text);
  if (conflict !== undefined)
    return { line: conflict.fault.line, what: 'two versions, as a merge leaves them: keep one' };
  const left = marker.exec(text);
  const line = text.slice(0, left?.index ?? error.offset).split('\n').length;
  if (left !== null) return { line, what: 'a line that a merge left: remove it' };
  return { line, what: words[printParseErrorCode(error.error)] ?? 'no JSON' };
}
