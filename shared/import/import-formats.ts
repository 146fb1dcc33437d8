/**
 * The formats that are read, by the word that names each: the one list from which contract, command, dialog and palette
 * follow.
 *
 * `label` tells what an import was; `tools` names what it is known by where one chooses.
 */
export const importFormats = {
  curl: { label: 'curl', tools: 'curl' },
  postman: { label: 'Postman', tools: 'Postman' },
  openapi: { label: 'OpenAPI', tools: 'OpenAPI 3' },
  bruno: { label: 'Bruno', tools: 'Bruno, OpenCollection' },
  insomnia: { label: 'Insomnia', tools: 'Insomnia' },
  har: { label: 'HAR', tools: 'HAR' },
} as const;

export type ImportFormat = keyof typeof importFormats;
export const importFormatNames = Object.keys(importFormats) as ImportFormat[];

/** All that is read, for a sentence: `curl, Postman, OpenAPI 3 …`. */
export const importableTools: string = Object.values(importFormats)
  .map(({ tools }) => tools)
  .join(', ');
