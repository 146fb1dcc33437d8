/** Tells whether a text has more characters than it may, each one whatever its code units: as the schemas of the contract count. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || Array.from(text).length > most);
}

/** Cuts a text behind so many characters, and none in half. */
export function cutCharacters(text: string, most: number): string {
  return text.length > most
    ? Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('')
    : text;
}
