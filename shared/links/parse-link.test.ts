import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLocalPath, parseLink } from './parse-link';

describe('parseLink', () => {
  it.each([
    ['countersign://view/inbox', { kind: 'view', view: 'inbox', rest: '' }],
    ['COUNTERSIGN://view/help/docs/sandbox/', { kind: 'view', view: 'help', rest: 'docs/sandbox' }],
    ['countersign://view/payments/INV%202041', { kind: 'view', view: 'payments', rest: 'INV 2041' }],
    [
      'countersign://request/Payments%20API/Payouts/Salary%20payout.http',
      { kind: 'request', collection: 'Payments API', path: 'Payouts/Salary payout.http' },
    ],
    ['countersign://import?file=%2Fhome%2Fann%2Fpay.json', { kind: 'import', path: '/home/ann/pay.json' }],
    ['countersign://import?file=C%3A%5Cpay.json', { kind: 'import', path: 'C:\\pay.json' }],
  ])('reads %s', (link, wanted) => {
    expect(parseLink(link)).toEqual(wanted);
  });

  it.each([
    'https://view/inbox',
    'countersign:view/inbox',
    'countersign://',
    'countersign://send/Payouts/Salary.http',
    'countersign://view/nowhere',
    'countersign://view/settings/set/theme',
    'countersign://view/keys/credentials/data%2Fproduction',
    'countersign://view/environments/bind/x',
    'countersign://view/inbox?send=1',
    'countersign://view/inbox#/keys',
    'countersign://view/payments/a%2Fb',
    'countersign://view/payments/%E0%A4%A',
    'countersign://view/payments/a%00b',
    'countersign://view/payments/%E2%80%AEmth',
    'countersign://request/Payments/..%2F..%2Fetc%2Fpasswd.http',
    'countersign://request/Payments/../x.http',
    'countersign://request/Payments/a%5C..%5Cx.http',
    'countersign://request/Payments/script.sh',
    'countersign://user:pass@view/inbox',
    'countersign://view:80/inbox',
    'countersign://import',
    'countersign://import?file=pay.json',
    'countersign://import?file=%2Fhome%2F..%2Fetc%2Fpasswd',
    'countersign://import?file=%5C%5Chost%5Cshare%5Cx',
    'countersign://import?file=%2F%2Fhost%2Fshare%2Fx',
    'countersign://import?file=%2Fdev%2Fzero',
    'countersign://import?file=%2Fproc%2Fself%2Fenviron',
    'countersign://import?file=file%3A%2F%2F%2Fetc%2Fpasswd',
    'countersign://import?file=%2Fa&into=%2Fb',
    'countersign://import?path=%2Fa',
    `countersign://view/payments/${'a'.repeat(3000)}`,
  ])('refuses %s', (link) => {
    expect(parseLink(link).kind).toBe('refused');
  });

  it('never lets out of what it names, whatever the link holds', () => {
    const bits = fc.constantFrom(
      'view',
      'request',
      'import',
      'inbox',
      'payments',
      '..',
      '.',
      '/',
      '\\',
      '%2e%2e',
      '%2F',
      '%5c',
      '%00',
      '%0a',
      '?file=',
      '&',
      '=',
      '#',
      '@',
      ':',
      '/etc/passwd',
      'C:',
      'x.http',
      '\u202e',
      ' ',
      '%',
      'a',
    );
    const link = fc.oneof(
      fc.array(bits, { maxLength: 12 }).map((parts) => `countersign://${parts.join('')}`),
      fc.array(bits, { maxLength: 12 }).map((parts) => `countersign://${parts.join('/')}`),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `countersign://view/${text}`),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(link, (text) => {
        const found = parseLink(text);
        if (found.kind === 'refused') expect(found.reason).toMatch(/\.$|countersign:\/\/$/);
        else expect(JSON.stringify(found)).not.toMatch(/\\u0000|\\n|\u202e|"(?:\.\.|[^"]*\/\.\.(?:\/|"))/);
        if (found.kind === 'request') expect(found.path).toMatch(/^(?!\/)(?!.*\\).*\.(?:http|rest)$/i);
        if (found.kind === 'import') expect(isLocalPath(found.path)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });
});
