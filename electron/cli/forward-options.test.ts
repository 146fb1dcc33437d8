import { expect, it } from 'vitest';
import type { Sink } from '../listener/forwarding/forward-store';
import { takeBacklog } from './forward-options';

async function tell(counts: [Sink, number][], isWanted: boolean): Promise<string[]> {
  const told: string[] = [];
  const forwarding = {
    countMissed: () => new Map(counts),
    takeMissed: async () => new Map(counts.map(([sink, count]) => [sink, count - 1])),
  };
  await takeBacklog({ say: (text: string) => void told.push(text) }, forwarding, isWanted);
  return told;
}

it('says of the address and of the command by themselves what each missed: what went to one may have missed the other', async () => {
  expect(await tell([['exec', 12]], false)).toEqual([
    '12 webhooks came while no command was run: --backlog runs it for what was missed, too.',
  ]);
  const both: [Sink, number][] = [
    ['url', 1],
    ['exec', 3],
  ];
  expect(await tell(both, true)).toEqual([
    '1 webhook came while nothing was forwarded to an address; queued now: 0.',
    '3 webhooks came while no command was run; queued now: 2.',
  ]);
  expect(await tell([['url', 0]], false)).toEqual([]);
});
