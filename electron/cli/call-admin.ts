import { AppError } from '@shared/errors';
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
/** Why nobody can be asked. */
const NOBODY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Makes an admin call of a running sandbox.
 *
 * @returns its JSON @throws {AppError} `sending.unreachable`, `sending.timeout`; `sandbox.bad_request` with what the sandbox says
 */
export async function callAdmin(
  { baseUrl, token }: AdminAddress,
  method: 'GET' | 'POST' | 'PUT',
  address: string,
  body: string | Uint8Array<ArrayBuffer> | null = null,
): Promise<Record<string, unknown>> {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/_sandbox/${address}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await exchange(url, { method, headers, body, redirect: 'manual' });
  const value = readObject(answer.text);
  if (answer.status === 200 && value !== null) return value;
  throw new AppError(
    'sandbox.bad_request',
    describeRefusal(baseUrl, answer.status, value?.['message'], token),
  );
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

async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await readText(response, origin) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw describeFailure(origin, error);
  }
}

async function readText(response: Response, origin: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MOST_BYTES) {
      throw new AppError(
        'sandbox.bad_request',
        `${origin} answered with more than ${MOST_BYTES / 1024 / 1024} MiB, which no sandbox does.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeFailure(origin: string, cause: unknown): AppError {
  const { name, cause: reason } = cause as Error;
  if (name === 'TimeoutError') {
    return new AppError(
      'sending.timeout',
      `${origin} did not answer within ${TIMEOUT_MS / 1000} s. See that a sandbox runs there, and try again.`,
      { cause },
    );
  }
  const code = (reason as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined || NOBODY.has(code)
    ? new AppError('sending.unreachable', `No sandbox answers at ${origin}. Start it first.`, { cause })
    : new AppError(
        'sending.unreachable',
        `What answers at ${origin} is no sandbox: it is no HTTP, or breaks off. See which port the sandbox has.`,
        { cause },
      );
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
