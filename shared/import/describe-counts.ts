const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

/** Says what an import makes; what goes to the user's own environments is told apart from what stands in the files. */
export function describeCounts(made: {
  requests: number;
  folders: number;
  environments: number;
  ownEnvironments: readonly string[];
}): string {
  const own = [...new Set(made.ownEnvironments)];
  const files = `${count(made.requests, 'request')}, ${count(made.folders, 'folder')}, ${count(made.environments, 'environment')}`;
  return own.length === 0 ? files : `${files} in the files; ${count(own.length, 'environment')} of your own`;
}
