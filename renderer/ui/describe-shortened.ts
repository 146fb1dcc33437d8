import type { Exchange } from '@shared/contract/sending';
import { formatBytes } from './format-time';

/** What stands below the beginning of a long answer; null where the whole is shown. */
export function describeShortened({ response }: Exchange): string | null {
  if (!response?.isBodyShortened) return null;
  const size = formatBytes(response.sizeBytes);
  if (response.isCut) return `The beginning of the ${size} that were read of it. Copy has those.`;
  return `The beginning of ${size}. Copy has them all.`;
}
