import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it reached the backend, byte for byte. */
export interface TakenRequest {
  method: string;
  url: string;
  /** Name, value, name, value …, as they came. */
  rawHeaders: string[];
  body: Buffer;
  header(name: string): string | undefined;
}

/** A user's backend that keeps what it gets. */
export interface RecordingBackend {
  readonly url: string;
  readonly taken: TakenRequest[];
  /** Resolves once so many have come. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

type Answer = (request: TakenRequest, response: ServerResponse, message: IncomingMessage) => void;

const answerOk: Answer = (_request, response) => response.end('ok');

/** @param port - 0: any */
export async function startBackend(answer: Answer = answerOk, port = 0): Promise<RecordingBackend> {
  const taken: TakenRequest[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url = '', rawHeaders } = message;
      const request: TakenRequest = {
        method,
        url,
        rawHeaders,
        body: Buffer.concat(chunks),
        header: (name) => message.headers[name] as string | undefined,
      };
      taken.push(request);
      for (const look of waiting) look();
      answer(request, response, message);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (taken.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
