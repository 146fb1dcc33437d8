import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLocalPath, isRequestFile, parseLink } from './parse-link';

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
    'countersign://request/../x.http',
    'countersign://request/%2e/x.http',
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

  it.each([
    ['countersign://view/payments/a?b=1', 'it asks for more than a place.'],
    ['countersign://view/payments//', 'it is not well written.'],
    ['countersign://view/payments/a//b', 'it is not well written.'],
    ['countersign://import/x?file=%2Fa', 'it names no file.'],
    ['xcountersign://view/inbox', 'it does not begin with countersign://'],
    ['countersigns://view/inbox', 'it does not begin with countersign://'],
    ['countersign://view/inbox#x?y', 'it leads to nothing that the app has.'],
    ['countersign://request/Payments', 'it names no request of a collection.'],
    ['countersign://request/Payments/./x.http', 'it names no request of a collection.'],
    ['countersign://request/Pay%2Fments/x.http', 'it names no request of a collection.'],
    ['countersign://import?file=%E0%A4%A', 'it does not name one file of this machine.'],
    ['countersign://elsewhere/x', 'it leads to nothing that the app has.'],
    [`countersign://view/payments/${'a'.repeat(2021)}`, 'it is too long.'],
  ])('says why %s is refused', (link, reason) => {
    expect(parseLink(link)).toEqual({ kind: 'refused', reason: `This link was not followed: ${reason}` });
  });

  it('reads a link as long as may be', () => {
    const link = `countersign://import?file=%2F${'a'.repeat(2019)}`;
    expect(link).toHaveLength(2048);
    expect(parseLink(link)).toMatchObject({ kind: 'import' });
    expect(parseLink(`${link}a`)).toMatchObject({ reason: expect.stringContaining('too long') as string });
  });

  it.each([
    ['inbox', 'x', true],
    ['inbox', 'Ab-9_'.repeat(12), true],
    ['inbox', 'a'.repeat(65), false],
    ['inbox', 'a.b', false],
    ['inbox', '.a', false],
    ['inbox', 'a.', false],
    ['help', 'welcome', true],
    ['help', 'docs', true],
    ['help', 'docs/on-the-way', true],
    ['help', 'docs/a/b', false],
    ['help', 'xwelcome', false],
    ['help', 'newer', false],
    ['keys', 'x', false],
  ])('tells whether the view %s has a place %s', (view, rest, isThere) => {
    expect(parseLink(`countersign://view/${view}/${rest}`).kind).toBe(isThere ? 'view' : 'refused');
  });

  it.each([
    ['/a', true],
    ['/home/dev/proc/x', true],
    ['/device/x', true],
    ['c:/x', true],
    ['/dev', false],
    ['/proc', false],
    ['/sys/x', false],
    ['/./dev/zero', false],
    ['/home/./x', false],
    ['/net/host/share', false],
    ['/network/x', true],
    ['/home/.config/x', true],
    ['xC:/x', false],
    ['C:\\\\host', false],
    ['C:x', false],
    ['/a\\b', false],
    ['/a\u202eb', false],
    ['/a\nb', false],
    [`/${'a'.repeat(2047)}`, true],
    [`/${'a'.repeat(2048)}`, false],
  ])('tells of %j whether it is a file of this machine', (path, isLocal) => {
    expect(isLocalPath(path)).toBe(isLocal);
  });

  it.each([
    ['a.http', true],
    ['x/A.REST', true],
    ['a.http.exe', false],
    ['x/.http', false],
    ['a.https', false],
  ])('tells of %s whether it is a request file', (path, isOne) => {
    expect(isRequestFile(path)).toBe(isOne);
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
