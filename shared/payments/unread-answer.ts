import type { HeaderList } from '../contract/common';
import { findHeader } from '../find-header';

const MIB = 1024 * 1024;

/** Writes a size as people do: small ones in their own unit. @param bytes - from 0 */
export const showSize = (bytes: number): string =>
  bytes < MIB ? `${Number((bytes / 1024).toFixed(1))} KiB` : `${Number((bytes / MIB).toFixed(1))} MiB`;

/** What is known of an answer beside its text. */
export interface AnswerSize {
  readonly headers: HeaderList;
  /** Of what was read. */
  readonly sizeBytes: number;
  /** There was more than is read. */
  readonly isCut: boolean;
}

const readHeader = (headers: HeaderList, name: string): string => findHeader(headers, name)?.trim() ?? '';

/**
 * Says why the text of an answer is not what the service said: too long to be read to its end, or compressed.
 *
 * Whoever judges such a text would judge something else.
 * @returns what the answer is ('too long to be judged (…)'); null: its text is all of it
 */
export function findWhyUnread({ headers, sizeBytes, isCut }: AnswerSize): string | null {
  if (isCut) {
    const said = readHeader(headers, 'content-length');
    const whole = /^\d{1,15}$/.test(said) && Number(said) > sizeBytes ? showSize(Number(said)) : null;
    const size = whole === null ? `more than the ${showSize(sizeBytes)} that are read` : null;
    return `too long to be judged (${size ?? `${whole}, of which the first ${showSize(sizeBytes)} are read`})`;
  }
  const encoding = readHeader(headers, 'content-encoding').toLowerCase();
  if (encoding === '' || encoding === 'identity' || sizeBytes === 0) return null;
  return `compressed (${encoding.length > 40 ? `${encoding.slice(0, 40)}…` : encoding}) and not unpacked: send Accept-Encoding: identity`;
}
