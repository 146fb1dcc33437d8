/** A text in quotes, a comment, a line end, blanks, or anything else. */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"?|\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)|\r?\n|[^\S\n]+|[^\s"/]+|[^]/g;

/**
 * Takes comments out of JSON, as the tools do that let a body have some: they are no JSON, and are not sent.
 *
 * @param dropsLines - a line that has nothing else goes with its comment
 * @returns the text itself where it has none
 */
export function stripJsonComments(text: string, { dropsLines }: { dropsLines: boolean }): string {
  if (!text.includes('//') && !text.includes('/*')) return text;
  const pieces: string[] = [];
  /** Blanks that a line begins with; null: there was something else on it. */
  let indent: string | null = '';
  /** Nothing but comments and blanks stood on this line so far. */
  let isBare = false;
  for (const [token] of text.matchAll(tokens)) {
    const isComment = token.startsWith('//') || token.startsWith('/*');
    if (isComment) {
      if (indent !== null && dropsLines) {
        indent = '';
        isBare = true;
      }
    } else if (token.endsWith('\n')) {
      if (!isBare) pieces.push(indent ?? '', token);
      indent = '';
      isBare = false;
    } else if (indent !== null && /^\s/.test(token)) indent += token;
    else {
      pieces.push(indent ?? '', token);
      indent = null;
      isBare = false;
    }
  }
  if (!isBare) pieces.push(indent ?? '');
  return pieces.join('');
}

export const noteComments = (tool: string): string =>
  `The comments in its body are left out, as ${tool} leaves them out when it sends.`;
