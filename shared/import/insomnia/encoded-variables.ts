import type { Imported, ImportedItem, ImportedRequest } from '../imported';
import { encodeInsomniaValue } from './insomnia-encoding';

const isPartlyEncoded = (value: string): boolean => /%[\da-f]{2}/i.test(value);

/**
 * Has variables whose values are percent-encoded already sent as Insomnia sends them: once.
 *
 * `{{%name}}` encodes a value whatever it holds. Where every value that a variable has is encoded through and through, it is
 * written `{{name}}`; where only some are, or not all of it, a note says so.
 * @param imported - its items are changed
 */
export function keepEncodedVariables(imported: Imported): Imported {
  const values = new Map<string, string[]>();
  for (const { name, value } of [
    imported.shared,
    ...imported.environments.map(({ variables }) => variables),
  ].flat())
    values.set(name, [...(values.get(name) ?? []), value]);
  for (const [name, given] of values) {
    if (!given.some(isPartlyEncoded)) continue;
    const isWhole = given.every((value) => encodeInsomniaValue(value) === value);
    const users = listRequests(imported.items).filter((request) => usesEncoded(request, name));
    if (isWhole) for (const request of users) writeRaw(request, name);
    else if (users.length > 0) {
      imported.notes.push({
        where: users[0]!.name,
        what: `{{%${name}}} encodes all of its value here, also what is percent-encoded in it already, which Insomnia sends as it stands. Write its value without percent signs, or all of it encoded and {{${name}}} in the request.`,
      });
    }
  }
  return imported;
}

function listRequests(items: readonly ImportedItem[]): ImportedRequest[] {
  return items.flatMap((item) =>
    item.kind === 'folder' ? listRequests(item.items) : item.kind === 'request' ? [item] : [],
  );
}

function usesEncoded({ url, body }: ImportedRequest, name: string): boolean {
  const braces = `{{%${name}}}`;
  return (
    url.includes(braces) ||
    (body?.parts ?? []).some((part) => typeof part === 'string' && part.includes(braces))
  );
}

function writeRaw(request: ImportedRequest, name: string): void {
  const replace = (text: string): string => text.replaceAll(`{{%${name}}}`, () => `{{${name}}}`);
  request.url = replace(request.url);
  if (request.body !== null) {
    const parts = request.body.parts.map((part) => (typeof part === 'string' ? replace(part) : part));
    request.body = { ...request.body, parts };
  }
}
