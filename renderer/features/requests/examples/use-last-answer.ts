import { identifyBlock } from '@shared/http-file/identify-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { useEffect, useState } from 'react';
import { readWholeAnswer } from '../../../session/whole-answer';
import { call } from '../../../transport/client';
import { findOwnerPath } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';

interface LastAnswer {
  state: 'loading' | 'none' | 'ready';
  body: string;
}

/**
 * The last answer of the request that an example belongs to: that of its open tab, else of history.
 *
 * @param block - which request of its file; null: the first
 */
export function useLastAnswer(collectionId: string, examplePath: string, block: string | null): LastAnswer {
  const owner = useRequestsStore((state) => findOwnerPath(state, collectionId, examplePath));
  const shown = useRequestsStore(
    ({ tabs }) =>
      tabs
        .filter((tab) => tab.collectionId === collectionId && tab.path === owner)
        .map(({ exchange }) => exchange)
        .find((exchange) => block === null || exchange?.identity?.block === block) ?? null,
  );
  const [answer, setAnswer] = useState<LastAnswer>({ state: 'loading', body: '' });
  useEffect(() => {
    let isLatest = true;
    const read = async (): Promise<string | null> => {
      if (owner === null) return null;
      const exchange = shown ?? (await findExchange(collectionId, owner, block));
      return exchange?.response ? readWholeAnswer(exchange) : null;
    };
    read()
      // History is a convenience here: without it there is nothing to compare with.
      .catch(() => null)
      .then((body) => {
        if (isLatest) setAnswer(body === null ? { state: 'none', body: '' } : { state: 'ready', body });
      });
    return () => {
      isLatest = false;
    };
  }, [collectionId, owner, block, shown]);
  return answer;
}

async function findExchange(collectionId: string, path: string, named: string | null) {
  const { text } = await call('collections.read', { collectionId, path });
  const block = named ?? identifyBlock(parseHttpFile(text).requests, 0);
  const { exchanges } = await call('history.list', { identity: { collectionId, path, block }, limit: 1 });
  const last = exchanges[0];
  return last ? call('history.get', { id: last.id, isForScreen: true }) : null;
}
