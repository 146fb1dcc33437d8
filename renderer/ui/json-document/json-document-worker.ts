import { toErrorReply } from '@shared/errors';
import { JsonDocument } from './json-document';

/** What the worker is asked: the text once, then by the names of the document's own methods. */
export type JsonDocumentQuestion =
  | { id: number; method: 'read'; args: [string] }
  | { id: number; method: JsonDocumentMethod; args: unknown[] };
export type JsonDocumentMethod = 'lines' | 'setOpen' | 'find' | 'reveal' | 'place' | 'filter';

let document: JsonDocument | null = null;

// One caller, one answer after the other; a fault of a question is its answer.
self.onmessage = ({ data: { id, method, args } }: MessageEvent<JsonDocumentQuestion>) => {
  try {
    if (method === 'read') {
      document = new JsonDocument(args[0] as string);
      self.postMessage({ id, value: null });
    } else {
      const run = document?.[method] as ((...given: unknown[]) => unknown) | undefined;
      self.postMessage({ id, value: run?.apply(document, args) });
    }
  } catch (error) {
    self.postMessage({ id, error: toErrorReply(error) });
  }
};
