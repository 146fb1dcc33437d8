import { parseExample } from '@shared/http-file/example-file';
import { useMemo, useState } from 'react';
import { CopyText } from '../../../ui/copy-text';
import { EmptyState } from '../../../ui/empty-state';
import { HeaderRows } from '../../../ui/header-rows';
import { JsonView } from '../../../ui/json-view';
import { useLaidOutJson } from '../../../ui/laid-out-json';
import { RelativeTime } from '../../../ui/relative-time';
import { Skeleton } from '../../../ui/spinner';
import { Tabs } from '../../../ui/tabs';
import { Differences } from '../conflict/differences';
import { mergeTexts } from '../conflict/merge-texts';
import type { OpenTab } from '../requests-store';
import styles from './example-view.module.css';
import { useLastAnswer } from './use-last-answer';

/** An answer that is kept beside its request, and what the last one has otherwise. */
export function ExampleView({ tab }: { tab: OpenTab }) {
  const example = useMemo(() => parseExample(tab.text), [tab.text]);
  const [selected, setSelected] = useState('body');
  const body = useLaidOutJson(example?.body ?? '');
  if (example === null) {
    return (
      <div className={styles.parts}>
        <JsonView
          text={tab.text}
          label="File"
          isPlain
          note="No status line, such as `HTTP/1.1 200 OK`, was found."
        />
      </div>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <strong>{`${example.httpStatus} ${example.reason}`}</strong>
        {example.request ? <CopyText text={example.request} label="request" /> : null}
        {example.receivedAt === null ? null : <RelativeTime at={example.receivedAt} />}
      </div>
      <div className={styles.parts}>
        <Tabs
          label="Parts of the example"
          items={[
            { id: 'body', label: 'Body' },
            { id: 'headers', label: 'Headers', count: example.headers.length },
            { id: 'compare', label: 'Compare' },
          ]}
          selected={selected}
          onSelect={setSelected}
          render={(id) => {
            if (id === 'headers') return <Headers headers={example.headers} />;
            if (id === 'compare') return <Compare tab={tab} block={example.block} body={body} />;
            if (body === '') return <EmptyState title="No body">The answer came without one.</EmptyState>;
            return <JsonView text={body} label="Body of the example" />;
          }}
        />
      </div>
    </>
  );
}

function Headers({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <table className={styles.headers}>
      <tbody>
        <HeaderRows headers={headers} />
      </tbody>
    </table>
  );
}

const labels = { mine: 'Example', theirs: 'Last answer' };

function Compare({ tab, block, body }: { tab: OpenTab; block: string | null; body: string }) {
  const last = useLastAnswer(tab.collectionId, tab.path, block);
  const lastBody = useLaidOutJson(last.body);
  const hunks = useMemo(() => mergeTexts(null, body, lastBody), [body, lastBody]);
  if (last.state === 'loading') return <Skeleton lines={4} />;
  if (last.state === 'none') {
    return (
      <EmptyState title="No answer yet">Send the request, and compare its answer with this one.</EmptyState>
    );
  }
  const isSame = hunks.every(({ kind }) => kind === 'same');
  return (
    <div className={styles.compare} tabIndex={0} role="group" aria-label="Differences">
      <p className={styles.sum} role="status">
        {isSame ? 'The last answer has the same body.' : 'Left: the example. Right: the last answer.'}
      </p>
      <Differences hunks={hunks} labels={labels} />
    </div>
  );
}
