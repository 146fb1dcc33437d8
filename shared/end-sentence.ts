/**
 * Ends as a sentence what another program, a file or a library said: some end with a full stop, some do not.
 *
 * @param text - one line or several, white space at its end is dropped
 */
export function endSentence(text: string): string {
  const said = text.trimEnd();
  return /[.!?…]["'’”)\]]*$/.test(said) ? said : `${said}.`;
}
