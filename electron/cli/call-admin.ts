import { AppError } from '@shared/errors';
import { parseRecord } from '@shared/json/parse-or-nothing';
import type { HttpAnswer, HttpCall } from '../platform/ports';
import { maskKnownSecrets } from '../platform/mask-known-secrets';

/** Where the admin calls of a running sandbox go. */
export interface AdminAddress {
  readonly baseUrl: string;
  readonly token: string;
}

const TIMEOUT_MS = 30_000;
/** No state of a sandbox that is taken back is larger. */
const MOST_BYTES = 128 * 1024 * 1024;
const LONGEST_MESSAGE = 2000;

/**
 * Makes an admin call of a running sandbox.
 *
 * @returns its JSON @throws {AppError} `sending.*`; `sandbox.bad_request` with what the sandbox says
 */
export async function callAdmin(
  { baseUrl, token }: AdminAddress,
  method: 'GET' | 'POST' | 'PUT',
  address: string,
  body: string | Uint8Array<ArrayBuffer> | null = null,
): Promise<Record<string, unknown>> {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/_sandbox/${address}`;
  const answer = await exchange({
    method,
    url,
    headers: [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
    ],
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MOST_BYTES,
    aftermath: 'none',
  });
  if (answer.isCut) {
    throw new AppError(
      'sandbox.bad_request',
      `${baseUrl} answered with more than ${MOST_BYTES / 1024 / 1024} MiB, which no sandbox does.`,
    );
  }
  const { httpStatus } = answer;
  const value = parseRecord(Buffer.from(answer.body).toString('utf8'));
  if (httpStatus === 200 && value !== null) return value;
  throw new AppError('sandbox.bad_request', describeRefusal(baseUrl, httpStatus, value?.['message'], token));
}

/** In the words of whoever answered, which may be anybody: the token that was sent there is masked in them. */
function describeRefusal(baseUrl: string, status: number, message: unknown, token: string): string {
  if (typeof message === 'string')
    return maskKnownSecrets(message.slice(0, LONGEST_MESSAGE + token.length), [token]).slice(
      0,
      LONGEST_MESSAGE,
    );
  if (status >= 500)
    return `${baseUrl} answered ${status} without a word. If it is a sandbox, start it anew: its program may have been replaced since.`;
  return `${baseUrl} is no sandbox of ours: it answered ${status}.`;
}

async function exchange(call: HttpCall): Promise<HttpAnswer> {
  const { createHttpClient } = await import('../platform/http/http-client');
  try {
    return await createHttpClient()(call);
  } catch (error) {
    if (!(error instanceof AppError) || error.details['reason'] !== 'ECONNREFUSED') throw error;
    throw new AppError(
      'sending.unreachable',
      `No sandbox answers at ${new URL(call.url).origin}. Start it first.`,
      { cause: error },
    );
  }
}
