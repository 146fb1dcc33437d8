import { describe, expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { confirmProduction, sayUnmarked, type ProductionFacts } from './confirm-production';

const facts: ProductionFacts = {
  name: 'live',
  host: 'api.example.com',
  paymentCount: 1,
  payments: [{ name: 'Salary', amount: '1000.00', currency: 'KES', party: 'Jane\n  KES 1 · 254700000001' }],
};

/** A terminal where this is typed; null: there is none. */
function createTerminal(typed: string | null) {
  const asked: string[] = [];
  return {
    asked,
    say: () => undefined,
    ask: (question: string) => Promise.resolve((asked.push(question), typed)),
  };
}

describe('confirmProduction', () => {
  it('asks with amount, currency, recipient and host, and takes the exact name', async () => {
    const terminal = createTerminal('live');
    await confirmProduction(terminal, facts, undefined);
    const [question = ''] = terminal.asked;
    expect(question).toContain('api.example.com');
    expect(question).toContain('KES 1000.00');
    expect(question).toContain('254700000001');
    expect(question.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(1);
  });

  it.each([null, '', 'LIVE', 'yes'])('refuses %j at the terminal', async (typed) => {
    await expect(confirmProduction(createTerminal(typed), facts, undefined)).rejects.toMatchObject({
      code: 'cli.not_confirmed',
    });
  });

  it('takes --production NAME without asking, and refuses another name without asking', async () => {
    const terminal = createTerminal('live');
    await confirmProduction(terminal, facts, 'live');
    await expect(confirmProduction(terminal, facts, 'sandbox')).rejects.toMatchObject({
      code: 'cli.not_confirmed',
    });
    expect(terminal.asked).toEqual([]);
  });
});

describe('sayUnmarked', () => {
  const say = (name: string, more: Partial<Environment> = {}): string[] => {
    const said: string[] = [];
    const environment = { id: 'x', name, kind: 'sandbox', baseUrl: 'https://api.example.com', ...more };
    sayUnmarked({ say: (line) => said.push(line) }, environment as Environment);
    return said;
  };

  it.each(['production', 'Prod', 'eu-prod', 'LIVE', 'payments.live', 'prd'])('warns of %s', (name) => {
    expect(say(name)).toEqual([
      `'${name}' is not marked as production, so nothing asks before something is sent there. Mark it in the app (Environments, Kind).`,
    ]);
  });

  it.each(['uat', 'product', 'delivery', 'non-prod', 'preprod', 'pre-live', 'olive'])(
    'says nothing of %s',
    (name) => {
      expect(say(name)).toEqual([]);
    },
  );

  it('says nothing of what is marked, nor of this machine', () => {
    expect(say('live', { kind: 'production' })).toEqual([]);
    expect(say('live', { baseUrl: 'http://127.0.0.1:4010' })).toEqual([]);
  });
});
