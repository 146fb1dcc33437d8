import { findMarked, markBlock } from '@shared/http-file/follow-block';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import type { OpenTab } from '../requests-store';

type Followed = Partial<Pick<OpenTab, 'requestIndex' | 'lost' | 'run'>>;

/**
 * Has the request on show stay on show, wherever the text that its tab is to hold has it. One that is not there is lost: what
 * stands in its place is another, and the key that sends would pay somebody else.
 */
export function followRequest({ text: before, requestIndex, lost, run }: OpenTab, text: string): Followed {
  const hasSeveral = before.includes('###') || text.includes('###');
  if (before === text || (lost === null && !hasSeveral)) return {};
  const former = parseHttpFile(before).requests;
  const { requests } = parseHttpFile(text);
  const mark = markBlock(former, requestIndex) ?? lost;
  if (mark === null) return {};
  const find = (index: number): number => {
    const sought = index === requestIndex ? mark : markBlock(former, index);
    return sought === null ? -1 : findMarked(requests, sought, former);
  };
  const found = find(requestIndex);
  return {
    requestIndex: found,
    lost: found === -1 ? mark : null,
    ...(run && { run: { ...run, requestIndex: find(run.requestIndex) } }),
  };
}
