import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCurl, type Leaving } from '../../../test/support/imported-curl';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** What curl adds by itself, and what is about the connection. */
const ofCurl = new Set(['host', 'accept', 'content-length', 'transfer-encoding', 'connection', 'expect']);
const received: Leaving[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const headers: [string, string][] = [];
    for (let at = 0; at < request.rawHeaders.length; at += 2)
      headers.push([request.rawHeaders[at]!, request.rawHeaders[at + 1]!]);
    const body = Buffer.concat(chunks).toString();
    received.push({ method: request.method!, url: request.url!, headers, body: body === '' ? null : body });
    response.end();
  });
});
let base = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Runs a script in bash, curl and all. @returns what came of it */
async function runScript(script: string): Promise<Leaving[]> {
  received.length = 0;
  const child = spawn('bash', ['-c', script], {
    cwd: makeTemporaryFolder('curl-real'),
    env: { PATH: process.env['PATH'], NAME: 'Asha', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  expect(received.length, errors).toBeGreaterThan(0);
  return [...received];
}

/** Names in lower case and in order; the boundary, which is made anew each time, as one word. */
function plain({ method, url, headers, body }: Leaving): Leaving {
  const boundary = headers
    .map(([, value]) => /boundary="?([^";]+)/.exec(value)?.[1])
    .find((one) => one !== undefined);
  // Lines may follow the last boundary, and nobody reads them.
  const fix = (text: string): string =>
    boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY').replace(/--\r\n$/, '--');
  const kept = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), fix(value)])
    .filter(([name, value]) => !ofCurl.has(name) && !(name === 'user-agent' && value.startsWith('curl/')))
    .sort(([left], [right]) => left.localeCompare(right));
  return {
    method,
    url: url.replace(/^http:\/\/[^/?#]+(?=[/?#]|$)/, '') || '/',
    headers: kept,
    body: body === null ? null : fix(body),
  };
}

/** `U` stands for the address; a second text is what a command in it prints. */
const scripts: (string | readonly [string, string])[] = [
  // Options.
  'curl U -d a=1 --next U/2 -d b=2',
  'curl -d a=1 U U/2',
  'curl -sXPOST U',
  'curl -XDELETE U',
  'curl -F a=b -F "c=d e" U',
  "curl --form-string 'a=@b;type=x' U",
  "curl -F 'a=b;type=text/csv' U",
  "curl -F 'a=b; type=text/plain; charset=utf-8' U",
  `curl -F 'a="x;y\\"z\\\\";type=text/plain' U`,
  "curl -F a= -F 'b=c;filename=x.txt' U",
  `curl -F 'b=c;filename="x y.txt";type=text/csv' U`,
  // prettier-ignore
  `curl -F 'a="b c" ;type=text/x;filename="x\\"y;z.txt"' -F '=d' -F 'e= f ' -F 'g="h"i' -F 'j="@k"' -F 'l=m;type=text/csv;n=o;filename=p' U`,
  `curl -F 'a=b;headers="X-C: d";headers=X-E: f;type=text/x' U`,
  'printf one | curl -T - U',
  "curl --url-query 'a=b c' U",
  "curl --url-query '+a=b%20c' U",
  "curl --url-query 'a b' U",
  "curl --url-query '=x y' U",
  "curl --url-query a=1 'U?z=2'",
  'curl -b a=1 -b "b=2; c=3" U',
  "curl -b '' U",
  "curl -H 'X-Empty;' U",
  "curl -H 'X-Empty;  ' U",
  "curl -H 'X-Spaced:   a b  ' U",
  "curl -H 'nothing' U",
  "curl -H 'X-Gone:' -H 'X-Kept: 1' U",
  "curl -A one -A two -e http://a.example/ -e 'http://b.example/;auto' U",
  "curl -A '' U",
  "curl --data-urlencode 'a b' U",
  "curl --data-urlencode '=a b' U",
  "curl --data-urlencode 'n=a b&c=d' U",
  "printf 'a b' | curl --data-urlencode n@- U",
  "printf 'a b' | curl --data-urlencode @- U",
  "printf 'a\\nb\\r\\n' | curl -d @- U",
  "printf 'a\\nb\\r\\n' | curl --data-binary @- U",
  "printf '{\\n}' | curl --json @- U",
  "printf 'a\\nb' | curl -d@- U",
  "printf 'b=2' | curl -d a=1 -d @- U",
  "curl --data-raw '@-' U",
  'curl -G -d a=1 --data-urlencode "q=x y" U',
  'curl -r 0-99 U',
  'curl -u asha:secret-1234 U',
  'curl --oauth2-bearer token-1234 U',
  "curl --json '{\"a\":1}' -H 'Content-Type: application/vnd.x+json' U",
  'curl --oauth2-bearer token-1234 --oauth2-bearer token-5678 U',
  "curl --oauth2-bearer token-1234 -H 'Authorization: Other abcd-1234' U",
  'curl -r 0-99 -r 0-9 U',
  "curl --json '{}' -G U",
  'curl -I U',
  'curl -- U',
  // The shell; a caret in quotes, or behind a backslash, is none of the Windows command prompt.
  `curl -G -d "^" -H 'X-A: b' U`,
  'curl -e "http://r.example/^" \\\n  U',
  'curl -d "a^\n" U',
  'curl -d \\^"a b" U',
  "curl -d $'\\q\\\"\\?\\\\x' U",
  `curl -d a'b'"c"\\ d U`,
  'curl -d "a\\\nb" U',
  'curl \\\n  -d a \\\n  U',
  'curl -d "\\$x \\"q\\" \\\\ \\n \\`" U',
  'curl -d $"text" U',
  "curl -d $'a\\tb\\x41\\'' U",
  'curl -d "$NAME ${NAME} ${NAME:-x}" U',
  "curl -d '$NAME' U",
  'A=(-H "X-A: b c" -d x); A+=(-d "$NAME"); curl "${A[@]}" U',
  'curl -d "cost: 5$" U',
  'curl -d a$ U',
  'curl -d a#b U # not this',
  '# curl U/no\ncurl U',
  'curl U; curl U/2',
  'true && curl U',
  'false || curl U',
  'curl U | cat',
  'curl U & wait',
  '(curl U)',
  '{ curl U; }',
  'if curl U; then echo yes; fi',
  'X=1 curl -d a U',
  'env X=1 curl -d a U',
  'curl U > /dev/null 2>&1',
  'curl U 2>/dev/null -d a',
  'curl U/2>&1',
  'curl U >"out 1.txt" -d b',
  "curl -d @- U <<'END'\na $NAME\n  END\nEND",
  'curl -d @- U <<END\na $NAME \\$x \\\\\nEND',
  'curl --data-binary @- U <<-END\n\ta\n\tEND\ncurl U/2',
  'curl -d @- U <<"END" && curl U/2\nx $NAME\nEND',
  'curl -d @- U <<\\END\nx $NAME\nEND',
  'curl --data-binary @- U <<< "text"',
  'curl -d @- U <<< "text $NAME"',
  "cat <<'END' | curl -d @- U\nx\nEND",
  'echo one two | curl --data-binary @- U',
  'echo -n "one two" | curl --data-binary @- U',
  "echo -en 'a\\tb' | curl --data-binary @- U",
  "echo -e 'a\\nb' | curl -d @- U",
  "printf '%s:%s 100%%' a 'b\\n' | curl -d @- U",
  "printf '\\x41\\q\\\"' | curl -d @- U",
  'curl -d "$(cat <<END\n{"name":"$NAME"}\nEND\n)" U',
  'curl -d "$(cat <<\'END\'\n{"name":"$NAME"}\nEND\n)" U',
  'X=$(curl -d a U); curl U/2',
  'echo "$(curl -d a U)"',
  'X=`curl -d a U`',
  ['curl -H "X-A: $(printf \')\')" -d b U', ')'],
  ['curl -H "X-A: $(printf "a)b")" -d b U', 'a)b'],
  ['curl -H "X-A: $(printf "%s" "$(printf x)")" -d b U', 'x'],
  ['curl -H "X-A: $(printf \\))" -d b U', ')'],
  ["curl -H \"X-A: $(printf $'\\'')\" -d b U", "'"],
  ['curl -H "X-A: `printf x`" -d b U', 'x'],
];

describe.skipIf(!hasTools)('curl commands, judged by bash and curl themselves', () => {
  it.each(scripts)('%s', async (given) => {
    const [text, output] = typeof given === 'string' ? [given, ''] : given;
    const script = text.replaceAll(/\bU(?=\b|\/|\?)/g, `${base}/v1/payouts`);
    const ours = importCurl(script, { output, NAME: 'Asha' });
    expect(ours.map(plain)).toEqual((await runScript(script)).map(plain));
  });
});
