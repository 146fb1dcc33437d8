import { useMemo } from 'react';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { Verb } from '../../ui/tag';
import { useRequestsStore } from './requests-store';
import { isDirty } from './requests-selectors';

/** Characters: enough for what stands before a first request; it is asked with every key. */
const LONGEST_START = 4096;

/** The method of a file's first request as it is written now: what a draft says comes before what is saved. */
export function DraftVerb({
  collectionId,
  path,
  saved,
}: {
  collectionId: string;
  path: string;
  saved: string | null;
}) {
  const start = useRequestsStore(({ tabs }) => {
    const tab = tabs.find((one) => one.collectionId === collectionId && one.path === path);
    return tab !== undefined && isDirty(tab) ? tab.text.slice(0, LONGEST_START) : null;
  });
  const written = useMemo(
    () => (start === null ? undefined : parseHttpFile(start).requests[0]?.method),
    [start],
  );
  const method = written ?? saved;
  return method === null || method === '' ? null : <Verb method={method} />;
}
