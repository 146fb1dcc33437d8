import { describe, expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { confirmRun } from './confirm-run';
import { planText } from '../../../test/support/plan-text';

const live = { id: 'data/live', name: 'live', kind: 'production', baseUrl: 'https://api.example.test' };
const run = { id: 'run/x', name: 'command line', kind: 'sandbox', baseUrl: 'https://api.example.test/v2' };
const other = { ...live, id: 'data/other', name: 'other', baseUrl: 'https://other.example.test' };

const payout = (amount: string, currency = 'KES', host = '{{base_url}}'): string =>
  `### pay\nPOST ${host}/payments/v1/payouts\n\n{"transaction":{"amount":${amount},"currency":"${currency}"},"recipient":{"name":"{{row.name}}"}}\n\n`;

/** What is asked of a person before a run, and what they said yes to; null: nothing is asked. */
async function confirmOf(
  text: string,
  { all = [live, run], environment = live, iterations = 1, given = 'typed' as string | undefined } = {},
): Promise<{ asked: string | null; id: string | undefined }> {
  const plan = planText(text);
  const rows = ['Jane', 'Joe'].map((name, index) => ({
    number: index + 1,
    name,
    values: { name, amount: `${index + 1}000.50` },
  }));
  let asked: string | null = null;
  const ask = (question: string) => {
    asked = question;
    return Promise.resolve('live');
  };
  const values = { variables: { base_url: environment.baseUrl }, given: {} };
  async function* list() {
    yield* rows;
  }
  const environments = { environment: environment as Environment, all: all as Environment[] };
  const planned = { plan, rows: list, iterations, values, ...environments };
  const id = await confirmRun({ say: () => undefined, ask }, planned, given === 'typed' ? undefined : given);
  return { asked, id };
}

const askOf = async (...of: Parameters<typeof confirmOf>): Promise<string | null> =>
  (await confirmOf(...of)).asked;

describe('a run in production', () => {
  it('asks with host, number of payments and their sum per currency, over all rows and iterations', async () => {
    const text = payout('{{row.amount}}') + payout('0.25', 'USD') + payout('{{$randomInt 1 9}}');
    const asked = await askOf(text, { iterations: 3 });
    expect(asked).toContain("This goes to api.example.test in 'live'");
    expect(asked).toContain(
      '\n18 payments: KES 9003.00, USD 1.50, 6 of an amount that is known only when they leave.\n',
    );
    expect(asked).toContain('\n  KES …, Jane (pay)\n');
  });

  it('claims no amount, currency or recipient of which a part comes with the run', async () => {
    const first = '### a\n# @capture later = body data.x\nGET {{base_url}}/x\n\n';
    const asked = await askOf(
      first +
        payout('5{{later}}') +
        payout('7', '{{later}}') +
        payout('0') +
        payout('9').replace('{{row.name}}', 'N {{later}}'),
    );
    expect(asked).toContain('\n8 payments: KES 18, 4 of an amount that is known only when they leave.\n');
    expect(asked).toContain('\n  KES …, Jane (pay)\n');
    expect(asked).toContain('\n  … 7, Jane (pay)\n');
    expect(asked).toContain('\n  KES 9, … (pay)\n');
  });

  it('names every host, and that of the environment where one is known only when its request leaves', async () => {
    const first = '### a\n# @capture place = body data.x\nGET http://127.0.0.1:1/x\n\n';
    expect(await askOf(first + payout('5', 'KES', '{{place}}'))).toContain(
      "This goes to 127.0.0.1:1, api.example.test in 'live'",
    );
  });

  it('knows it by the host that a request leads to, whatever the environment is called', async () => {
    expect(await askOf(payout('5'), { environment: run })).toContain("in 'live'");
    const elsewhere = { ...run, baseUrl: 'https://sandbox.example.test' };
    expect(await askOf(payout('5'), { environment: elsewhere })).toBeNull();
    expect(await askOf(payout('5', 'KES', live.baseUrl), { environment: elsewhere })).toContain("in 'live'");
  });

  it('takes the name from the call, and nothing but that name', async () => {
    expect(await askOf(payout('5'), { given: 'live' })).toBeNull();
    await expect(askOf(payout('5'), { given: 'other' })).rejects.toMatchObject({ code: 'cli.not_confirmed' });
  });

  it('tells which environment was said yes to: by its name, or by an address that leads there, captured ones too', async () => {
    const idOf = async (...of: Parameters<typeof confirmOf>) => (await confirmOf(...of)).id;
    expect(await idOf(payout('5'))).toBe('data/live');
    expect(await idOf(payout('5'), { environment: run })).toBe('data/live');
    const elsewhere = { ...run, baseUrl: 'https://sandbox.example.test' };
    expect(await idOf(payout('5'), { environment: elsewhere })).toBeUndefined();
    expect(await idOf(payout('5'), { environment: elsewhere, given: 'live' })).toBe('data/live');
    expect(await idOf(payout('5'), { environment: elsewhere, given: 'run' })).toBeUndefined();
  });

  it('refuses two production environments in one run', async () => {
    const both = { all: [other, live], environment: run };
    const text = payout('5', 'KES', live.baseUrl) + payout('5', 'KES', other.baseUrl);
    await expect(askOf(text, both)).rejects.toMatchObject({ code: 'cli.usage' });
  });
});
