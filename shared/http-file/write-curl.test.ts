import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { writeCurl } from './write-curl';

type Request = Parameters<typeof writeCurl>[0];
const make = (change: Partial<Request> = {}): Request => ({
  method: 'POST',
  url: 'http://127.0.0.1:4010/payments/v1/remittance',
  headers: [['Content-Type', 'application/json']],
  body: '{}',
  ...change,
});

/** What a shell would hand to curl. */
function readArguments(command: string): string[] {
  const script = command.replace(/^curl/, 'printf "%s\\0"');
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('writeCurl', () => {
  it('hands address, headers and body over byte for byte, whatever the shell thinks of them', () => {
    const body = `{"name":"O'Neil $HOME \`id\` \\\\ \\u00e9 é",\r\n\t"x":"!!"}`;
    const headers: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['X-Note', "it's $(id)"],
    ];
    expect(readArguments(writeCurl(make({ body, headers })))).toEqual([
      'http://127.0.0.1:4010/payments/v1/remittance',
      '-H',
      'Content-Type: application/json',
      '-H',
      "X-Note: it's $(id)",
      '--data-raw',
      body,
    ]);
  });

  it.each([
    [
      'https://a.example/ä b?q="é"<1>&{{x y}}#ü',
      'https://a.example/%C3%A4%20b?q=%22%C3%A9%22%3C1%3E&{{x y}}#%C3%BC',
    ],
    ['https://ä.example/a%20b?c=d+e', 'https://ä.example/a%20b?c=d+e'],
    ['{{base_url}}/ä', '{{base_url}}/%C3%A4'],
    ['{{base_url}}/{x}/`a`\\b/{{c?d}}?e={f}`\\', '{{base_url}}/%7Bx%7D/%60a%60/b/{{c?d}}?e={f}`\\'],
    ['https://a.example?é', 'https://a.example?%C3%A9'],
  ])('writes the address %s as it is sent', (url, expected) => {
    const command = writeCurl({ method: 'GET', url, headers: [], body: null });
    expect(command.replace(' --globoff', '')).toBe(`curl '${expected}'`);
  });

  it('leaves the placeholders of token and signature, and masks what was typed in their place', () => {
    const text = writeCurl(
      make({
        headers: [
          ['Authorization', 'Bearer {{token.remittance}}'],
          ['X-Custom-Signature', '{{signature}}'],
          ['authorization', 'Bearer typed-token-1'],
          ['Cookie', 'session=typed-2'],
        ],
      }),
    );
    expect(text).toContain("-H 'Authorization: Bearer {{token.remittance}}'");
    expect(text).toContain("-H 'X-Custom-Signature: {{signature}}'");
    expect(text).toContain("-H 'authorization: Bearer {{secret}}'");
    expect(text).not.toContain('typed');
  });

  it('gives no secret away in address and body', () => {
    const text = writeCurl(
      make({
        url: 'https://host/?api_key=typed-1&page=2',
        headers: [],
        body: '{"consumer_secret":"typed-2","a":1}',
      }),
    );
    expect(text).toContain("'https://host/?api_key={{secret}}&page=2'");
    expect(text).toContain(`'{"consumer_secret":"{{secret}}","a":1}'`);
  });

  it('names the method where curl would take another', () => {
    expect(writeCurl(make({ method: 'get', body: null, headers: [] }))).toBe(
      "curl 'http://127.0.0.1:4010/payments/v1/remittance'",
    );
    expect(writeCurl(make())).toMatch(/^curl 'http/);
    expect(writeCurl(make({ method: 'PUT' }))).toMatch(/^curl -X PUT /);
    expect(writeCurl(make({ method: 'GET' }))).toMatch(/^curl -X GET /);
    expect(writeCurl(make({ method: 'HEAD', body: null }))).toMatch(/^curl --head /);
    // It waits for a body that no answer has.
    expect(writeCurl(make({ method: 'HEAD' }))).toMatch(/^curl --max-time 30 -X HEAD /);
  });

  it('keeps curl from adding a content type, dropping an empty header, or reading braces', () => {
    const text = writeCurl(make({ url: 'http://x/{{nope}}', headers: [['X-Empty', '']] }));
    expect(text).toContain("curl --globoff 'http://x/{{nope}}'");
    const spaced = { method: 'GET', url: 'http://x/a?of=Family support', headers: [], body: null };
    expect(writeCurl(spaced)).toBe("curl 'http://x/a?of=Family%20support'");
    expect(writeCurl({ ...spaced, url: 'http://x/{{vault.my pin}}' })).toContain('{{vault.my pin}}');
    expect(text).toContain("-H 'X-Empty;'");
    expect(text).toContain("-H 'Content-Type:'");
  });
});
