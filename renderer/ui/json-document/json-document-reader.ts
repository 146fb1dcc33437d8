import { useEffect, useState } from 'react';
import { AppError, type ErrorReply } from '@shared/errors';
import type { JsonDocument } from './json-document';
import type { JsonDocumentMethod } from './json-document-worker';

export interface JsonDocumentReader {
  ask<M extends JsonDocumentMethod>(
    method: M,
    ...args: Parameters<JsonDocument[M]>
  ): Promise<ReturnType<JsonDocument[M]>>;
}

/** Reads a text in a worker of its own while a component shows it. Null: not wanted, or not read yet. */
export function useJsonDocument(text: string | null): {
  reader: JsonDocumentReader | null;
  error: ErrorReply | null;
} {
  const [read, setRead] = useState<{
    text: string;
    reader: JsonDocumentReader | null;
    error: ErrorReply | null;
  } | null>(null);
  useEffect(() => {
    if (text === null) return undefined;
    const { ask, stop } = startWorker();
    let isGone = false;
    ask('read', [text]).then(
      () =>
        isGone ||
        setRead({ text, reader: { ask: (method, ...args) => ask(method, args) as never }, error: null }),
      (error: unknown) => isGone || setRead({ text, reader: null, error: error as ErrorReply }),
    );
    return () => {
      isGone = true;
      stop();
    };
  }, [text]);
  return read !== null && read.text === text ? read : { reader: null, error: null };
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

function startWorker() {
  const worker = new Worker(new URL('./json-document-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  worker.onmessage = ({ data }: MessageEvent<{ id: number; value?: unknown; error?: ErrorReply }>) => {
    const { id, value, error } = data;
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(error);
    else one?.resolve(value);
  };
  const fail = (): void => {
    const error = new AppError(
      'app.internal',
      'This JSON could not be read: its worker ended. Look at it as text.',
    );
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onerror = fail;
  return {
    ask: (method: string, args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, method, args });
      }),
    stop: (): void => {
      worker.terminate();
      waiting.clear();
    },
  };
}
