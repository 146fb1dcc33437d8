/**
 * Gathers what is asked for at the same time and has it done together.
 *
 * What one moment of the event loop brings is one batch: it is run when nothing else is ready.
 * @param run - gives the results in the order of the items; where it fails, all of them fail
 * @returns adds an item, and resolves with its result
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let items: Item[] = [];
  let results: Promise<readonly Result[]> | null = null;

  const runAll = (): Promise<readonly Result[]> => {
    const taken = items;
    items = [];
    results = null;
    return run(taken);
  };

  return async (item) => {
    const index = items.push(item) - 1;
    // Behind every promise that is settled by now: those that wait for one thing go on together.
    results ??= new Promise<void>((resolve) => process.nextTick(resolve)).then(runAll);
    return (await results)[index]!;
  };
}
