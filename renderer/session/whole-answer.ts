import type { Exchange } from '@shared/contract/sending';
import { call } from '../transport/client';

/** The body of an answer, all of it: a screen has the beginning of a long one. */
export async function readWholeAnswer({ id, response }: Exchange): Promise<string> {
  if (!response?.isBodyShortened) return response?.body ?? '';
  const { response: whole } = await call('history.get', { id });
  return whole?.body ?? '';
}
