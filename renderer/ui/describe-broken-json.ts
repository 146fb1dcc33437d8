/** Says of a text that calls itself JSON, or begins like it, that it is none; null: it is, or never claimed to be. */
export function describeBrokenJson(text: string, contentType: string | null): string | null {
  const claims = /\bjson\b/i.test(contentType ?? '') || /^\s*[{[]/.test(text);
  if (!claims || text === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}
