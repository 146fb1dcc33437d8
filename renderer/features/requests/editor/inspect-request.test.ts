import { createDynamicValues } from '@shared/http-file/dynamic-values';
import { describe, expect, it } from 'vitest';
import { inspectRequest } from './inspect-request';

const dynamic = () => {
  let count = 0;
  return createDynamicValues({
    now: () => 0,
    random: { uuid: () => `uuid-${++count}`, bytes: (size) => new Uint8Array(size) },
  });
};
const file = (body: string, head = '# @operation remittance\nPOST {{base_url}}/x') => `${head}\n\n${body}\n`;
const body = (amount = '1000', country = '"KE"') =>
  `{"transaction":{"reference":"{{$uuid}}","amount":${amount},"service_code":"MPESA"},"originator":{"country":${country}}}`;
const inspect = (text: string, variables: Record<string, string> = { base_url: 'http://x' }) =>
  inspectRequest(text, 0, { variables, dynamic: dynamic() });

describe('inspectRequest', () => {
  it('reads the string to sign from the body as it will be sent', () => {
    const insight = inspect(file(body()));
    expect(insight.prepared?.inspection?.toSign?.text).toBe('uuid-11000KEMPESA');
    expect(insight.prepared?.body).toContain('"reference":"uuid-1"');
  });

  it('marks the four fields where they stand in the body as edited', () => {
    const insight = inspect(file(body('{{amount}}')), { base_url: 'x', amount: '77' });
    const edited = insight.block!.body!;
    expect(insight.marks.map(({ field, start, end }) => [field, edited.slice(start, end)])).toEqual([
      ['reference', '{{$uuid}}'],
      ['amount', '{{amount}}'],
      ['country', 'KE'],
      ['service_code', 'MPESA'],
    ]);
  });

  it('offers a fix that changes the body as edited', () => {
    const insight = inspect(file(body('1500.00')));
    const problem = insight.problems.find(({ fixes }) => fixes.length > 0)!;
    const edited = insight.block!.body!;
    const { start, end, text } = problem.fixes[0]!;
    expect(edited.slice(0, start) + text + edited.slice(end)).toBe(body('1500'));
  });

  it('offers no fix for a value that comes from a variable', () => {
    const { problems } = inspect(file(body('{{amount}}')), { base_url: 'x', amount: '1500.00' });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.fixes).toEqual([]);
  });

  it('says where a body is not JSON', () => {
    const insight = inspect(file('{"a": }'));
    expect(insight.problems[0]).toMatchObject({
      code: 'signing.not_json',
      severity: 'error',
      range: { start: 6, end: 7 },
    });
  });

  it('asks for no signature where the service asks for none', () => {
    const insight = inspect(file('{"payment_uuid":"1"}', '# @operation status\nPOST {{base_url}}/tsq'));
    expect(insight).toMatchObject({ prepared: { isSigned: false, inspection: null }, problems: [] });
  });

  it('keeps a file without a request readable', () => {
    expect(inspect('# nothing here\n').block).toBeNull();
  });
});
