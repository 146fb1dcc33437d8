import type { Exchange } from '@shared/contract/sending';
import { describeCharset } from './describe-charset';
import { formatBytes } from './format-time';

/** What stands below the beginning of a long answer; null where the whole is shown. */
export function describeShortened({ response }: Exchange): string | null {
  if (!response?.isBodyShortened) return null;
  const size = formatBytes(response.sizeBytes);
  if (response.isCut) return `The beginning of the ${size} that were read of it. Copy has those.`;
  return `The beginning of ${size}. Copy has them all.`;
}

/** What stands below an answer that is kept: that it is only the beginning, and that it is not UTF-8; null: neither. */
export function describeKept(exchange: Exchange): string | null {
  const charset = exchange.response && describeCharset(exchange.response);
  return [charset, describeShortened(exchange)].filter(Boolean).join(' ') || null;
}
