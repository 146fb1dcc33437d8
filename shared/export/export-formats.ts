/** Forms that a collection can be handed on in, by the word that names each. */
export const exportFormats = {
  curl: { label: 'cURL', hint: 'A script with one line a request', extension: 'sh', isFolder: false },
  postman: {
    label: 'Postman 2.1',
    hint: 'One file; its script gets tokens and signs, in Newman too',
    extension: 'postman_collection.json',
    isFolder: false,
  },
  openapi: {
    label: 'OpenAPI 3.1',
    hint: 'A description of the operations, with examples',
    extension: 'openapi.json',
    isFolder: false,
  },
  har: { label: 'HAR 1.2', hint: 'The requests as an archive', extension: 'har', isFolder: false },
  httpyac: {
    label: 'httpYac',
    hint: 'A folder of .http files with a script that gets tokens and signs',
    extension: 'httpyac',
    isFolder: true,
  },
} as const;

export type ExportFormat = keyof typeof exportFormats;
export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[];
