import { randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { roundMs } from '@shared/round-ms';
import type { TunnelProbe } from '../../listener/webhook-server';

/** Makes a probe that nobody guesses. */
export function createProbe(): TunnelProbe {
  const random = (): string => randomBytes(18).toString('base64url');
  return { path: `/${random()}`, answer: random() };
}

/** Asks a public address whether it leads to this listener. @returns milliseconds that it took; null: it does not, or not in time */
export async function probeAddress(
  url: string,
  { path, answer }: TunnelProbe,
  timeoutMs: number,
): Promise<number | null> {
  const isTls = url.startsWith('https:');
  const { get } = isTls ? await import('node:https') : await import('node:http');
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let request: ClientRequest | null = null;
    const finish = (isOurs: boolean): void => {
      clearTimeout(timer);
      resolve(isOurs ? roundMs(performance.now() - startedAt) : null);
      request?.destroy();
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    const options = {
      agent: false,
      // ngrok shows browsers a page of its own in between.
      headers: { 'ngrok-skip-browser-warning': '1', 'user-agent': 'countersign-probe' },
      // The answer proves who is there; behind some tunnels it is the listener's own certificate.
      ...(isTls ? { rejectUnauthorized: false } : {}),
    };
    try {
      request = get(url.replace(/(?<!\/)\/+$/, '') + path, options, (response) =>
        readAnswer(response, answer, finish),
      );
      request.on('error', () => finish(false));
    } catch {
      finish(false);
    }
  });
}

function readAnswer(response: IncomingMessage, answer: string, finish: (isOurs: boolean) => void): void {
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.length > answer.length) finish(false);
  });
  response.on('end', () => finish(text === answer));
  response.on('error', () => finish(false));
}
