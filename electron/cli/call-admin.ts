import { AppError } from '@shared/errors';

/** Where the admin calls of a running sandbox go. */
export interface AdminAddress {
  readonly baseUrl: string;
  readonly token: string;
}

const TIMEOUT_MS = 30_000;

/**
 * Makes an admin call of a running sandbox.
 *
 * @returns its JSON @throws {AppError} `sending.unreachable`; `sandbox.bad_request` with what the sandbox says
 */
export async function callAdmin(
  { baseUrl, token }: AdminAddress,
  method: 'GET' | 'POST' | 'PUT',
  address: string,
  body: string | Uint8Array<ArrayBuffer> | null = null,
): Promise<Record<string, unknown>> {
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/_sandbox/${address}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await exchange(url, { method, headers, body, redirect: 'error' });
  const value = readObject(answer.text);
  if (answer.status === 200 && value !== null) return value;
  throw new AppError(
    'sandbox.bad_request',
    typeof value?.['message'] === 'string'
      ? value['message']
      : `${baseUrl} is no sandbox of ours: it answered ${answer.status}.`,
  );
}

async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new AppError(
      'sending.unreachable',
      `No sandbox answers at ${new URL(url).origin}. Start it first.`,
      {
        cause: error,
      },
    );
  }
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
