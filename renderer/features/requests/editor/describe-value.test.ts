import { describe, expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';
import { inspectRequest } from './inspect-request';
import {
  describeExpressions,
  describeValue,
  describeValueAt,
  hideValues,
  isUnresolved,
  type ValueSources,
} from './describe-value';

const environment: Environment = {
  id: 'data/uat',
  name: 'uat',
  label: 'uat',
  kind: 'sandbox',
  baseUrl: 'https://uat.example.test',
  variables: {
    base_url: 'https://uat.example.test',
    shop: 'A-1',
    api_key: '{{vault.api_key}}',
    pin: '77',
    password: 'clear',
  },
  privateNames: ['pin'],
  source: 'data',
  keyId: null,
  hasCredentials: false,
  setup: usualSetup,
  sealedParts: [],
  session: { amount: '7' },
  addressChange: null,
  isActive: true,
};
const sources: ValueSources = {
  environment,
  collection: { shop: 'B-2' },
  fileVariables: [{ name: 'amount', value: '1000' } as ValueSources['fileVariables'][number]],
};

describe('describeValue', () => {
  it('names the value, whose it is, and whom it hides', () => {
    expect(describeValue('shop', sources)).toEqual([
      'shop = A-1',
      'From the environment “uat”. It goes before the value of the collection ($shared).',
    ]);
    expect(describeValue('amount', sources)).toEqual([
      'amount = 7',
      'From the values for this run. It goes before the value of this file.',
    ]);
  });

  it('shows no secret: of the vault, of a private file, or of a secret name in the clear', () => {
    const all = ['api_key', 'pin', 'password', 'vault.x', 'token.payout'].flatMap((name) =>
      describeValue(name, sources),
    );
    expect(all.join('\n')).not.toMatch(/77|clear|\{\{/);
    expect(all[0]).toMatch(/^api_key: looked up in the vault/);
  });

  it('shows no secret in an address as it is sent, encoded or not', () => {
    const used = { api_key: 'a b/77', pin: '77', shop: 'duka', empty: '' };
    const shown = hideValues('https://duka.example/a b/77?k=a%20b%2F77&p=77', used, sources.environment);
    expect(shown).toBe('https://duka.example/••••••••?k=••••••••&p=••••••••');
    expect(hideValues('https://duka.example/', used, null)).toBe('https://duka.example/');
  });

  it('says of a value that stands there twice, and once encoded, where it is from once', () => {
    const told = describeExpressions('{{vault.x}}/{{%vault.x}}/{{shop}}/{{ shop }}', sources);
    expect(told?.split('\n\n')).toHaveLength(2);
    expect(describeExpressions('/plain', sources)).toBeUndefined();
  });

  it('finds the expression under the pointer, in a long line too', () => {
    const text = `${'x'.repeat(5000)}{{shop}}${'y'.repeat(5000)}\n{{nobody}}`;
    expect(describeValueAt(text, 5003, sources)).toMatchObject({ start: 5000, end: 5008 });
    expect(describeValueAt(text, 100, sources)).toBeNull();
    expect(describeValueAt(text, text.length - 2, sources)).toBeNull();
    expect(describeValue('nobody', sources)[0]).toMatch(/nobody gives/);
    expect(isUnresolved('nobody', sources)).toBe(true);
    expect(isUnresolved('shop', sources)).toBe(false);
  });

  it('marks in the body what nobody gives, and nothing else', () => {
    const text =
      'POST https://x.test/\nContent-Type: application/json\n\n{"a":"{{nobody}}","b":{{shop}},"c":"{{$uuid}}"}';
    const dynamic = { get: () => 'u', renew: () => undefined, renewTimes: () => undefined };
    const { block, problems } = inspectRequest(text, 0, { variables: { shop: '1' }, dynamic });
    expect(problems.map(({ code, range }) => [code, block!.body!.slice(range!.start, range!.end)])).toEqual([
      ['values.unresolved', '{{nobody}}'],
    ]);
  });
});
