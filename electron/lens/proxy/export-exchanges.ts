import type { ProxyFilter } from '@shared/contract/proxy';
import type { ExchangeStore } from './exchange-store';
import { describeEntry, describeWhole } from './write-exchanges';

/** One text crosses to the page: more than this is for `proxy export`, which streams. */
const MOST_BYTES = 32 * 1024 * 1024;
const PAGE = 200;

/**
 * Writes the latest exchanges that a filter lets through as one text, oldest first.
 *
 * @param version - of this program, for the archive's creator
 */
export function exportExchanges(
  store: Pick<ExchangeStore, 'list' | 'find'>,
  { format, version, ...filter }: ProxyFilter & { format: 'har' | 'jsonl'; version: string },
  mostBytes = MOST_BYTES,
): { content: string; count: number; isCut: boolean } {
  const write = format === 'har' ? describeEntry : describeWhole;
  const lines: string[] = [];
  let left = mostBytes;
  let before: string | null = null;
  for (;;) {
    const page = store.list({ ...filter, limit: PAGE, before });
    for (const { id } of page) {
      const whole = store.find(id);
      if (whole === null) continue;
      const line = JSON.stringify(write(whole));
      left -= Buffer.byteLength(line);
      if (left < 0) return { content: join(lines, format, version), count: lines.length, isCut: true };
      lines.push(line);
    }
    if (page.length < PAGE)
      return { content: join(lines, format, version), count: lines.length, isCut: false };
    before = page.at(-1)!.id;
  }
}

function join(newestFirst: readonly string[], format: 'har' | 'jsonl', version: string): string {
  const lines = newestFirst.toReversed();
  if (format === 'jsonl') return lines.map((line) => `${line}\n`).join('');
  const head = JSON.stringify({ version: '1.2', creator: { name: 'Countersign', version } }).slice(0, -1);
  return `{"log":${head},"entries":[\n${lines.join(',\n')}\n]}}\n`;
}
