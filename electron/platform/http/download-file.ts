import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { toFileError } from '../files/files';
import { readTarget } from './call-target';
import { describeNetworkError } from './http-errors';

/** What a download came to; `sha512` in hexadecimal. */
export interface Downloaded {
  readonly bytes: number;
  readonly sha512: string;
}

export interface DownloadLimits {
  readonly mostBytes: number;
  readonly idleMs: number;
  readonly slowest: { readonly bytes: number; readonly everyMs: number };
}

/**
 * Fetches an address into a file that is not there yet, without keeping it in memory. Redirects are not followed.
 *
 * @param mostBytes - nothing beyond them is read or written; `bytes` tells that more came
 * @param idleMs - how long nothing may come
 * @param slowest - so many bytes have to come in each such time, and the answer's head within one: whoever drips them is not waited for
 * @throws {Error} with a sentence, where it was not answered with 200 or broke off
 * @throws {AppError} `platform.*`, where it could not be written
 */
export async function downloadFile(
  url: URL,
  file: string,
  { mostBytes, idleMs, slowest }: DownloadLimits,
): Promise<Downloaded> {
  const answer = await request(url, idleMs, slowest.everyMs);
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new Error(`${url.host} answered ${answer.statusCode ?? 'nothing'} for ${url.pathname}.`);
  }
  const hash = createHash('sha512');
  let bytes = 0;
  const keep = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw toFileError(error, dirname(file));
    });
  const target = await keep(open(file, 'wx', 0o600));
  try {
    for await (const chunk of untilBroken(answer, url, slowest)) {
      bytes += chunk.length;
      // Too much is not what was wanted: no more of it is taken.
      if (bytes > mostBytes) break;
      hash.update(chunk);
      await keep(target.writeFile(chunk));
    }
    await keep(target.datasync());
  } finally {
    answer.destroy();
    await target.close();
  }
  return { bytes, sha512: hash.digest('hex') };
}

/** Gives what comes, while enough of it does; where the connection breaks off, Node says 'aborted' and no more. */
async function* untilBroken(
  answer: IncomingMessage,
  { host }: URL,
  slowest: DownloadLimits['slowest'],
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let seen = 0;
  const pace = setInterval(() => {
    const came = bytes - seen;
    seen = bytes;
    const inTime = `${came} bytes in ${slowest.everyMs / 1000} s`;
    if (came < slowest.bytes) answer.destroy(new Error(`${host} sent only ${inTime}, too slow to wait for.`));
  }, slowest.everyMs);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new Error(`${host} broke off after ${bytes} bytes.`, { cause: error });
  } finally {
    clearInterval(pace);
  }
}

async function request(url: URL, idleMs: number, headMs: number): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = get(
      url,
      { headers: { 'user-agent': 'Countersign' }, agent: false, rejectUnauthorized: true },
      resolve,
    );
    sent.setTimeout(idleMs, () =>
      sent.destroy(new Error(`${url.host} sent nothing for ${idleMs / 1000} s.`)),
    );
    const late = setTimeout(
      () => sent.destroy(new Error(`${url.host} did not answer within ${headMs / 1000} s.`)),
      headMs,
    );
    sent.once('response', () => clearTimeout(late)).once('close', () => clearTimeout(late));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === undefined ? error : describe(error, url)),
    );
  });
}

/** In words of ours, of which the first sentence says what happened: Node's are those of system calls and of OpenSSL. */
function describe(error: NodeJS.ErrnoException, url: URL): Error {
  const { message } = describeNetworkError(error, readTarget(url), false, 'webhook');
  return new Error(message, { cause: error });
}
