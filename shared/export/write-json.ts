import { activeCharacters, escapeUnit } from '../hidden-characters';

/** Writes a document as JSON for people and programs: what no screen shows, or acts on, is escaped. */
export function writeJsonDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2).replace(activeCharacters, escapeUnit)}\n`;
}
