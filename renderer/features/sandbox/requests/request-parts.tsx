import type { SandboxRequestDetail } from '@shared/contract/sandbox';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { AppError } from '@shared/errors';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../../ui/empty-state';
import { formatBytes } from '../../../ui/format-time';
import { layOutJson } from '../../../ui/json-tokens';
import { HeaderRows } from '../../../ui/header-rows';
import { JsonView, type TextMark } from '../../../ui/json-view';
import { signedFieldClass } from '../../../ui/string-to-sign-spans';
import { Tabs } from '../../../ui/tabs';
import styles from '../sandbox.module.css';

type Message = SandboxRequestDetail['answer'] & Partial<SandboxRequestDetail['request']>;

/** Bodies and headers of a request and its answer. */
export function RequestParts({ request }: { request: SandboxRequestDetail }) {
  const [part, setPart] = useState('request');
  const isAnswer = part.startsWith('answer');
  const message: Message = isAnswer ? request.answer : { ...request.request, isDropped: false };
  return (
    <div className={styles.messages}>
      <Tabs
        label="Request and answer"
        items={[
          { id: 'request', label: 'Request' },
          { id: 'request-headers', label: 'Headers', count: request.request.headers.length },
          { id: 'answer', label: 'Answer' },
          { id: 'answer-headers', label: 'Its headers', count: request.answer.headers.length },
        ]}
        selected={part}
        onSelect={setPart}
        trailing={<span className={styles.small}>{describeBody(message)}</span>}
        render={(id) =>
          id.endsWith('headers') ? (
            <Headers message={message} query={isAnswer ? '' : request.query} />
          ) : (
            <Body message={message} label={isAnswer ? 'Body of the answer' : 'Body of the request'} />
          )
        }
      />
    </div>
  );
}

function describeBody({ sizeBytes, isCut, isTooLong, isMasked, bodyBase64 }: Message): string {
  const facts = [
    isTooLong ? 'longer than 1 MiB, not read' : formatBytes(sizeBytes),
    isCut ? 'the first 64 KiB' : null,
    isMasked ? 'secrets masked' : null,
    bodyBase64 === null ? null : 'not UTF-8',
  ];
  return facts.filter((one) => one !== null).join(' · ');
}

function Body({ message, label }: { message: Message; label: string }) {
  const text = useMemo(() => layOutJson(message.body), [message.body]);
  const marks = useMemo(() => markSignedFields(text), [text]);
  if (message.body === '') {
    return <EmptyState title={message.isTooLong ? 'Nothing of the body was read' : 'No body'} />;
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

function Headers({ message, query }: { message: Message; query: string }) {
  const rows = query === '' ? message.headers : [['query', query] as const, ...message.headers];
  if (rows.length === 0) return <EmptyState title="No headers" />;
  return (
    <table className={styles.headers}>
      <tbody>
        <HeaderRows headers={rows} />
      </tbody>
    </table>
  );
}
