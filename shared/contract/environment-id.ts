/** The embedded sandbox. */
export const localEnvironmentId = 'local';
/** What the app calls it. */
export const localEnvironmentLabel = 'Local sandbox';

/** Where an environment is kept, as its id begins: the data directory, or this run alone; a collection has its own id. */
export const environmentPlaces = { data: 'data', run: 'run' } as const;

/**
 * Names an environment so that no other has the same name: by where it is kept, then by its own name.
 *
 * `staging` of one collection is not that of another, nor the data directory's: keys, credentials and tokens go by this.
 * @param place - one of {@link environmentPlaces}, or the id of a collection
 */
export function formatEnvironmentId(place: string, name: string): string {
  return `${place}/${name}`;
}

/** Tells whether an environment is of a collection: what others share, not what the user set up. */
export function isShared(id: string): boolean {
  const at = id.indexOf('/');
  return at > 0 && !Object.values<string>(environmentPlaces).includes(id.slice(0, at));
}

/** Gives the name in an id: what people type, and what files call it. A former id is the name itself. */
export function readEnvironmentName(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

/** Calls an environment what the app calls it everywhere; of one that is gone, the name in its id. */
export function labelEnvironment(
  id: string,
  known: readonly { readonly id: string; readonly label: string }[],
): string {
  const label = known.find((one) => one.id === id)?.label;
  return label ?? (id === localEnvironmentId ? localEnvironmentLabel : readEnvironmentName(id));
}

/** Letters. Of an id, which every method that takes an environment takes; a name from a file may be almost so long. */
export const longestEnvironmentId = 5000;
/** Letters. Of a name that is given in the app. */
export const longestEnvironmentName = 80;
/** Why one of a file of settings is not taken. */
export const oneOfThatName = 'there is one of that name';
/** Why a longer name is not taken. */
export const nameTooLong = `A name has at most ${longestEnvironmentName} letters: files and the command line use it. Shorten it.`;
