import type { HeaderList } from '@shared/contract/common';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { AppError } from '@shared/errors';
import { useMemo, useState } from 'react';
import { EmptyState } from '../ui/empty-state';
import { formatBytes } from '../ui/format-time';
import { layOutJson } from '../ui/json-tokens';
import { HeaderMenu, HeaderRows } from '../ui/header-rows';
import { JsonView, type TextMark } from '../ui/json-view';
import { signedFieldClass } from '../ui/string-to-sign-spans';
import { Tabs } from '../ui/tabs';
import styles from './message-parts.module.css';

/** A message as it was kept: masked, and cut where it was long. */
export interface KeptMessage {
  headers: HeaderList;
  body: string;
  bodyBase64: string | null;
  sizeBytes: number;
  isCut: boolean;
  /** Nothing of the body was read. */
  isTooLong?: boolean;
  isMasked?: boolean;
}

const nothing: KeptMessage = { headers: [], body: '', bodyBase64: null, sizeBytes: 0, isCut: false };

/** Bodies and headers of a request and its answer. `keptBytes`: as much of a body is kept. */
export function MessageParts({
  request,
  answer,
  query,
  keptBytes,
}: {
  request: KeptMessage;
  /** Null: there was none. */
  answer: KeptMessage | null;
  query: string;
  keptBytes: number;
}) {
  const [part, setPart] = useState('request');
  const isAnswer = part.startsWith('answer');
  const message = isAnswer ? (answer ?? nothing) : request;
  return (
    <div className={styles.messages}>
      <Tabs
        label="Request and answer"
        items={[
          { id: 'request', label: 'Request' },
          { id: 'request-headers', label: 'Headers', count: request.headers.length },
          { id: 'answer', label: 'Answer' },
          { id: 'answer-headers', label: 'Its headers', count: answer?.headers.length ?? 0 },
        ]}
        selected={part}
        onSelect={setPart}
        trailing={<span className={styles.small}>{describeBody(message, keptBytes)}</span>}
        render={(id) =>
          isAnswer && answer === null ? (
            <EmptyState title="No answer came" />
          ) : id.endsWith('headers') ? (
            <Headers message={message} query={isAnswer ? '' : query} />
          ) : (
            <Body message={message} label={isAnswer ? 'Body of the answer' : 'Body of the request'} />
          )
        }
      />
    </div>
  );
}

export function describeBody(
  { body, sizeBytes, isCut, isTooLong, isMasked, bodyBase64 }: KeptMessage,
  keptBytes: number,
): string {
  const facts = [
    isTooLong ? 'longer than 1 MiB, not read' : formatBytes(sizeBytes),
    isCut ? (body === '' ? 'not kept' : `the first ${formatBytes(keptBytes)}`) : null,
    isMasked ? 'secrets masked' : null,
    bodyBase64 === null ? null : 'not UTF-8',
  ];
  return facts.filter((one) => one !== null).join(' · ');
}

/** Why there is no body to show. */
export function describeNothing({ isTooLong, isCut }: KeptMessage): string {
  if (isTooLong) return 'Nothing of the body was read';
  return isCut ? 'The body was not kept' : 'No body';
}

function Body({ message, label }: { message: KeptMessage; label: string }) {
  const text = useMemo(() => layOutJson(message.body), [message.body]);
  const marks = useMemo(() => markSignedFields(text), [text]);
  if (message.body === '') {
    return <EmptyState title={describeNothing(message)} />;
  }
  return <JsonView text={text} label={label} marks={marks} isPlain={message.bodyBase64 !== null} />;
}

/** The four signed values where they stand in the body; none where it has not all of them. */
function markSignedFields(text: string): TextMark[] {
  try {
    return readStringToSign(text).spans.map(({ field, bodyStart, bodyEnd }) => ({
      start: bodyStart,
      end: bodyEnd,
      className: signedFieldClass(field),
    }));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function Headers({ message, query }: { message: KeptMessage; query: string }) {
  const rows = query === '' ? message.headers : [['query', query] as const, ...message.headers];
  if (rows.length === 0) return <EmptyState title="No headers" />;
  return (
    <HeaderMenu headers={rows}>
      <table className={styles.headers}>
        <tbody>
          <HeaderRows headers={rows} />
        </tbody>
      </table>
    </HeaderMenu>
  );
}
