import { expect, it } from 'vitest';
import { parseHttpFile } from '../http-file/parse-http-file';
import { foreseePayments, NOT_KNOWN_YET } from './foresee-payments';
import { planRun } from './plan-run';
import { readDirectives } from './read-directives';

function foresee(text: string, variables: Record<string, string> = {}) {
  const requests = parseHttpFile(text).requests.map((block) => ({
    name: block.name ?? '',
    folder: '',
    file: 'a.http',
    block,
    text: text.slice(block.start, block.end),
    directory: '/',
    identity: null,
    directives: readDirectives(block),
  }));
  return foreseePayments(planRun(requests, { tags: [], grep: null }), { variables, given: {} });
}
const pay = (body: string, ...lines: string[]): string =>
  `### Pay\n${lines.map((line) => `# @${line}\n`).join('')}POST http://h/payments/v1/payouts\nContent-Type: application/json\n\n${body}\n\n`;
const body = (reference: string, amount: string, currency = '"KES"', party = '"Joe"'): string =>
  `{"transaction":{"reference":${reference},"amount":${amount},"currency":${currency}},"recipient":{"name":${party}}}`;

it('tells what is paid, where all of it is known', () => {
  const [one] = foresee(pay(body('"R-1"', '1000.00')));
  expect(one?.payment).toMatchObject({ reference: 'R-1', amount: '1000.00', currency: 'KES' });
  expect(one?.prepared.url).toBe('http://h/payments/v1/payouts');
});

it('takes values of the environment for what they are', () => {
  const [one] = foresee(pay(body('"{{r}}"', '{{a}}')), { r: 'R-9', a: '7.50' });
  expect(one?.payment).toMatchObject({ reference: 'R-9', amount: '7.50' });
});

it.each([
  ['the reference', body('"{{$uuid}}"', '1'), 'reference'],
  ['the amount', body('"R-1"', '{{later}}'), 'amount'],
  ['a part of the amount', body('"R-1"', '1{{later}}'), 'amount'],
  ['the currency', body('"R-1"', '1', '"K{{later}}"'), 'currency'],
  ['the party', body('"R-1"', '1', '"KES"', '"Joe {{later}}"'), 'party'],
])('claims nothing of what comes with the run: %s', (_what, text, field) => {
  const first = '### First\n# @capture later = body x\nGET http://h/first\n\n';
  const found = foresee(first + pay(text)).at(-1)?.payment;
  const known = foresee(first + pay(body('"R-1"', '1'))).at(-1)?.payment;
  expect(found).toEqual({ ...known, [field]: NOT_KNOWN_YET });
});

it('tells nothing of what moves no money, and leaves out what is skipped', () => {
  expect(foresee('### Ask\nGET http://h/a\n').map(({ payment }) => payment)).toEqual([null]);
  expect(foresee(pay(body('"R-1"', '1'), 'skip'))).toEqual([]);
});
