import { expect, it } from 'vitest';
import type { BalanceAround } from '../contract/balances';
import { describeBalanceChange } from './describe-balance-change';

const usual: BalanceAround = {
  reference: 'R-1',
  product: 'payout',
  currency: 'KES',
  sentAt: 12,
  mayBeTaken: true,
  state: 'succeeded',
  isFinal: true,
  before: { at: 11, available: '1000000.00' },
  after: { at: 14, available: '998485.00' },
  amount: '1500',
  totalAmount: '1515.00',
  otherCount: 0,
};
const say = (more: Partial<BalanceAround>): string =>
  describeBalanceChange({ ...usual, ...more }, (at) => `10:02:${at}`);
const after = (available: string) => ({ at: 14, available });

it.each<[string, Partial<BalanceAround>, string]>([
  [
    'all of it',
    {},
    'KES payout fell by 1,515.00 between 10:02:11 and 10:02:14; this payment accounts for 1,515.00.',
  ],
  ['no reading before', { before: null }, 'Not known: no reading before it.'],
  [
    'no reading after',
    { after: null },
    'Not known yet: no reading after its outcome. Read the balances once more.',
  ],
  ['not final', { isFinal: false, state: 'processing' }, '… accounts for 1,515.00 (held: it is not final).'],
  [
    'a part of it',
    { after: after('995455.00'), otherCount: 2 },
    'KES payout fell by 4,545.00 … accounts for 1,515.00. Another 3,030.00 left for other reasons: 2 other payments were sent in between.',
  ],
  [
    'money that came in',
    { after: after('998585.00') },
    '… 1,515.00. Another 100.00 came in for other reasons.',
  ],
  [
    'refused',
    { mayBeTaken: false, state: null, isFinal: false, totalAmount: null, after: after('999000.00') },
    'KES payout fell by 1,000.00 … accounts for 0.00 (it was not taken). Another 1,000.00 left for other reasons.',
  ],
  [
    'failed',
    { state: 'failed', after: after('1000000.00') },
    'KES payout stayed at 1,000,000.00 … accounts for 0.00 (it failed).',
  ],
  [
    'no charges told',
    { totalAmount: null },
    '… this payment is over 1,500.00, and its charges are not known: query its status.',
  ],
  ['no amount', { totalAmount: null, amount: null }, '… how much of it is this payment is not known.'],
  [
    'a collection',
    { product: 'collection', totalAmount: '1515.00', after: after('1001500.00') },
    'KES collection rose by 1,500.00 … this payment accounts for 1,500.00.',
  ],
  [
    'a balance that is no number',
    { after: after('n/a') },
    'Not known: a balance was read that is no number.',
  ],
  [
    'more digits than a double holds',
    { before: { at: 11, available: '90071992547409931.01' }, after: after('90071992547408416.01') },
    'KES payout fell by 1,515.00 … accounts for 1,515.00.',
  ],
])('says what a wallet did around a payment: %s', (_case, more, expected) => {
  const [start, end = ''] = expected.split('…').map((part) => part.trim());
  expect(say(more)).toMatch(new RegExp(`^${escape(start!)}.*${escape(end)}$`));
  function escape(text: string): string {
    return text.replace(/[.()]/g, '\\$&');
  }
});

it('puts no control characters of a currency into the sentence', () => {
  expect(say({ currency: 'K\u202eES' })).not.toContain('\u202e');
});
