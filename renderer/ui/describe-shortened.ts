import type { Exchange } from '@shared/contract/sending';
import { formatBytes } from './format-time';

/** What stands below the beginning of a long answer; null where the whole is shown. */
export function describeShortened({ response }: Exchange): string | null {
  if (!response?.isBodyShortened) return null;
  return `The beginning of ${formatBytes(response.sizeBytes)}. Copy has them all.`;
}
