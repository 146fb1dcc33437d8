import { toJsonObject } from 'curlconverter';
import { describe, expect, it } from 'vitest';
import { importCurl, type Leaving } from '../../../test/support/imported-curl';

/** What curlconverter says of a command, as far as it goes out. */
interface Judged {
  raw_url: string;
  method: string;
  headers?: Record<string, string | null>;
  cookies?: Record<string, string>;
  data?: unknown;
  auth?: { user: string; password: string };
}

/** What leaves of the command as we import it. */
function readOurs(command: string) {
  const [{ method, url, headers, body }] = importCurl(command) as [Leaving];
  const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { method, url, headers: named, body };
}

/** A body as curlconverter read it: a text, or the pairs and JSON that it made of it. */
function isSameBody(ours: string | null, data: unknown): boolean {
  if (data === undefined) return ours === null;
  if (typeof data === 'string') return ours === data || (ours ?? '').replace(/%20/g, '+') === data;
  if (ours === null) return false;
  try {
    if (JSON.stringify(JSON.parse(ours)) === JSON.stringify(data)) return true;
  } catch {
    // A form, then.
  }
  const pairs: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(ours)) {
    const known = pairs[name];
    pairs[name] = known === undefined ? value : [known, value].flat();
  }
  return JSON.stringify(pairs) === JSON.stringify(data);
}

const u = 'https://api.example.com/v1/payouts';
const commands = [
  `curl ${u}`,
  `curl '${u}?a=1&b=two'`,
  `curl "${u}?q=a%20b"`,
  `curl -X DELETE ${u}/1`,
  `curl -XPUT ${u}/1 -d x=1`,
  `curl --request PATCH ${u} --data 'a=b'`,
  `curl --url ${u} -H 'Accept: application/json'`,
  `curl -H 'X-One: 1' -H 'X-Two: 2' ${u}`,
  `curl -H "X-Quote: it's" ${u}`,
  `curl -H 'X-Colon: a:b:c' ${u}`,
  `curl -d a=1 -d b=2 ${u}`,
  `curl -d 'a=1&b=2' ${u}`,
  `curl --data-raw '@not-a-file' ${u}`,
  `curl --data-binary '{"a":1000.00}' -H 'Content-Type: application/json' ${u}`,
  `curl -H 'content-type: application/json' -d '{"a": {"b": [1, 2.50, "x"]}}' ${u}`,
  `curl ${u} -H 'Content-Type: application/json' -d '{"note":"it'\\''s"}'`,
  `curl ${u} -H 'Content-Type: application/json' -d "{\\"note\\":\\"q\\"}"`,
  `curl ${u} -H 'Content-Type: text/plain' --data-binary $'one\\ntwo'`,
  `curl ${u} -H 'Content-Type: text/plain' --data-binary $'caf\\u00e9 \\x41'`,
  `curl ${u} -H 'Content-Type: text/plain' --data-binary $'ends\\n'`,
  `curl --json '{"a":1}' ${u}`,
  `curl --json '{"a":' --json '1}' ${u}`,
  `curl -G -d a=1 -d b=2 ${u}`,
  `curl -G -d a=1 '${u}?z=9'`,
  `curl -G --data-urlencode 'q=a b&c' ${u}`,
  `curl --data-urlencode 'q=a b' --data-urlencode 'r=é' ${u}`,
  `curl --data-urlencode '=a b' ${u}`,
  `curl -I ${u}`,
  `curl --head ${u}`,
  `curl -u user:pass ${u}`,
  `curl --user 'a b:c:d' ${u}`,
  `curl -u key: ${u}`,
  `curl -H 'Authorization: Bearer abc.def-123' ${u}`,
  `curl -H 'Authorization: Basic dXNlcjpwYXNz' ${u}`,
  `curl --oauth2-bearer tok-123456 ${u}`,
  `curl -A 'Agent/1.0' ${u}`,
  `curl --user-agent 'Agent 2' ${u}`,
  `curl -e https://from.example.com/ ${u}`,
  `curl -b 'a=1; b=2' ${u}`,
  `curl -H 'Cookie: a=1' ${u}`,
  `curl -s -S -L -k ${u}`,
  `curl -sSLk -o out.json ${u}`,
  `curl -fsSL --max-time 5 --retry 3 ${u}`,
  `curl -H 'X-Empty;' ${u}`,
  `curl -H 'Accept:' ${u}`,
  `curl ${u} \\\n  -H 'A: b' \\\n  --data-raw 'x=y' \\\n  --compressed`,
  `curl --compressed -H 'a: b' ${u}`,
  `curl -X POST ${u}`,
  `curl -X POST -H 'Content-Length: 0' ${u}`,
  `curl -X post ${u} -d a`,
  `curl -d '' ${u}`,
  `curl http://localhost:4010/a/b#frag`,
  `curl example.com/path`,
  `curl -d 'a=%20b+c' ${u}`,
  `curl -H 'Content-Type: application/x-www-form-urlencoded; charset=utf-8' -d 'a=1' ${u}`,
  `curl --url-query 'a=b c' ${u}`,
  `curl -r 0-99 ${u}`,
  `curl -H 'X-Tab:\tvalue' ${u}`,
  `curl --request=POST ${u}`.replace('=POST', ' POST'),
  `curl -T - ${u}`.replace('-T -', '-X PUT'),
];

describe('readCurl, judged by curlconverter', () => {
  it('has fifty commands and more', () => expect(commands.length).toBeGreaterThan(50));

  it.each(commands)('%s', (command) => {
    const judged = toJsonObject(command) as unknown as Judged;
    const ours = readOurs(command);
    expect(ours.method).toBe(judged.method.toUpperCase());
    const bare = judged.raw_url.replace(/^(?!https?:)/, 'http://');
    expect(ours.url.replace(/%20/g, '+')).toBe(bare.replace(/%20/g, '+'));
    const expected: Record<string, string> = {};
    for (const [name, value] of Object.entries(judged.headers ?? {}))
      if (value !== null) expected[name.toLowerCase()] = value.trim();
    // It takes them out of the headers; a count is left to whoever sends.
    if (judged.cookies !== undefined && expected['cookie'] === undefined) {
      expected['cookie'] = Object.entries(judged.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
    }
    if (judged.auth !== undefined && expected['authorization'] === undefined) {
      const pair = `${judged.auth.user}:${judged.auth.password}`;
      expected['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    delete expected['content-length'];
    expect(ours.headers).toEqual(expected);
    expect(isSameBody(ours.body, judged.data), `${ours.body} / ${JSON.stringify(judged.data)}`).toBe(true);
  });
});
