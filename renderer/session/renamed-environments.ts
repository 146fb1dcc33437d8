import { readLayout, writeLayout } from './settings-store';

type Follow = (from: string, to: string) => void;

/** What of the layout stands under ids of environments, and goes along with them. */
export const keptByEnvironment = { balancesEvery: 'balances.every' } as const;

const followers = new Set<Follow>();

/** Moves what a view keeps by an environment's former id; heard before anything is read anew. @returns what ends it */
export function whenRenamed(follow: Follow): () => void {
  followers.add(follow);
  return () => followers.delete(follow);
}

/** Has everything that is kept by the id of an environment follow its new name. Told twice, it does nothing more. */
export function tellRenamed({ from, to }: { from: string; to: string }): void {
  changeKept((kept) => moveMember(kept, from, to));
  for (const follow of followers) follow(from, to);
}

/** Forgets what was chosen for an environment that was deleted: a later one of its name is another. */
export function forgetEnvironment(id: string): void {
  changeKept(({ [id]: _gone, ...others }) => others);
}

/** The same record under the new id. */
export function moveMember<T>(
  record: Readonly<Record<string, T>>,
  from: string,
  to: string,
): Record<string, T> {
  const { [from]: own, ...others } = record;
  return own === undefined ? others : { ...others, [to]: own };
}

function changeKept(change: (record: Record<string, unknown>) => Record<string, unknown>): void {
  for (const key of Object.values(keptByEnvironment)) {
    const kept = readLayout(key);
    if (typeof kept === 'object' && kept !== null) writeLayout(key, change(kept as Record<string, unknown>));
  }
}
