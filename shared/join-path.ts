/** Puts a name behind a folder of a collection; the collection itself is the empty one. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
