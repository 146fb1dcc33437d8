import { expect, it } from 'vitest';
import type { CommandContext } from './command';
import { announce } from './sandbox-ready';

const sandbox = {
  baseUrl: 'http://127.0.0.1:4010',
  consumerKey: 'ck_1',
  consumerSecret: 'cs_given',
  adminToken: 'sa_given',
} as Parameters<typeof announce>[1]['sandbox'];

/** What is printed at the start, on one line. */
async function tell(isJson: boolean, sources: Parameters<typeof announce>[1]['sources']): Promise<string> {
  const printed: string[] = [];
  const context = {
    isJson,
    print: (line: string) => void printed.push(line),
    printJson: (value: unknown) => void printed.push(JSON.stringify(value)),
  } as CommandContext;
  const network = { host: '127.0.0.1' } as Parameters<typeof announce>[1]['network'];
  await announce(context, { sandbox, figures: null, network, port: undefined, names: [], sources });
  return printed.join(' ');
}

it('prints the secrets that it made, and says of one that it was given where from', async () => {
  const made = await tell(false, { consumerSecret: null, adminToken: null });
  expect([made.includes('cs_given'), made.includes('sa_given')]).toEqual([true, true]);
  const given = { consumerSecret: '--consumer-secret', adminToken: 'COUNTERSIGN_ADMIN_TOKEN' };
  const told = await tell(false, given);
  expect(told).toMatch(/the one of --consumer-secret.*the one of COUNTERSIGN_ADMIN_TOKEN/);
  expect(told).not.toMatch(/_given/);
  expect(JSON.parse(await tell(true, given))).toMatchObject({ admin_token: 'sa_given' });
});
