import { assembleBody, type FileBody } from '@shared/http-file/assemble-body';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { decodeBase64, encodeBase64 } from '@shared/signing/base64';
import { call } from '../../../transport/client';
import type { OpenTab } from '../requests-store';

/** Gives a body as `sending.send` takes it: its text, or its bytes where files stand in it. */
export async function readOutgoingBody(
  { collectionId, path }: Pick<OpenTab, 'collectionId' | 'path'>,
  prepared: PreparedRequest,
): Promise<{ body: string | null; bodyBase64?: string; bodyFiles?: FileBody['files'] }> {
  if (prepared.files.length === 0) return { body: prepared.body };
  const files = new Map<string, Uint8Array>();
  for (const file of new Set(prepared.files.map((one) => one.path))) {
    const { base64 } = await call('collections.readBodyFile', { collectionId, path, file });
    files.set(file, decodeBase64(base64));
  }
  const whole = assembleBody(prepared, (file) => files.get(file)!);
  return { body: null, ...(whole && { bodyBase64: encodeBase64(whole.bytes), bodyFiles: whole.files }) };
}
