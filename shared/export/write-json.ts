import { activeCharacters } from '../hidden-characters';

/** Writes a document as JSON for people and programs: what no screen shows, or acts on, is escaped. */
export function writeJsonDocument(document: unknown): string {
  const text = JSON.stringify(document, null, 2).replace(
    activeCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}
