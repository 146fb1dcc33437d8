import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { resolveRequest } from '../../http-file/resolve-request';
import { importDocument } from '../import-document';

const noValues = { get: () => null, renew: () => undefined, renewTimes: () => undefined };

/** What leaves of each request of a script, credentials put back, and what is said about the script. */
function read(text: string) {
  const { files, sealed, notes } = importDocument(
    { name: 'given', files: [{ path: 'given', text }] },
    'auto',
  );
  const secrets = sealed.flatMap((one) => one.secrets.map(({ name, value }) => [name, value]));
  const sent = files
    .filter(({ path }) => path.endsWith('.http'))
    .map(({ content }) => {
      const [block] = parseHttpFile(String(content)).requests;
      const { method, url, headers, body } = resolveRequest(block!, {
        variables: Object.fromEntries(secrets) as Record<string, string>,
        dynamic: noValues,
      });
      return [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`), body ?? ''];
    });
  return { sent, notes: notes.map(({ what }) => what) };
}
const u = 'https://a.example/pay';
const form = 'Content-Type: application/x-www-form-urlencoded';
const json = 'Content-Type: application/json';

it('ends what stands below `<<END` at that word further in, as a page sets it, where no line is the word alone', () => {
  const { sent } = read(`  curl -d @- ${u} <<END\n  a=1\n  END\n  curl ${u}/2`);
  expect(sent).toEqual([
    [`POST ${u}`, form, '  a=1'],
    [`GET ${u}/2`, ''],
  ]);
  expect(read(`curl -d @- ${u} <<END\na=1\n`).sent).toEqual([[`POST ${u}`, form, 'a=1']]);
});

it('sends what a command is handed as a file, and makes no request of the command in it', () => {
  const lines = [
    `curl -d @<(echo a=1) ${u} > >(tee b c)`,
    `curl --json @<(printf '%s' '{"a":1}') ${u}`,
    `curl -d @- ${u} < <(echo b=2)`,
  ];
  expect(read(lines.join('\n'))).toEqual({
    sent: [
      [`POST ${u}`, form, 'a=1'],
      [`POST ${u}`, json, 'Accept: application/json', '{"a":1}'],
      [`POST ${u}`, form, 'b=2'],
    ],
    notes: [],
  });
  expect(read(`curl -F 'f=@'<(printf x) ${u}`).sent[0]!.at(-1)).toContain('name="f"\r\n\r\nx\r\n--');
});

/** Held against what curl 7.88 put on the wire. */
it.each<[string, string[]]>([
  [`curl -b a=1 -b b=2 ${u}`, ['Cookie: a=1;b=2', '']],
  [`curl -b a=1 -H 'Cookie: c=3' ${u}`, ['Cookie: c=3', '']],
  [
    `curl -A one -H 'User-Agent: two' -e three -H 'Referer: four' ${u}`,
    ['User-Agent: two', 'Referer: four', ''],
  ],
  [`curl -A one -A '' ${u}`, ['']],
  [`curl --json '{"a":1}' -d x ${u}`, [json, 'Accept: application/json', '{"a":1}&x']],
  [`curl -d x --json '{}' ${u}`, [json, 'Accept: application/json', 'x{}']],
  [`curl --data-urlencode "x=it's (a)*!~" ${u}`, [form, 'x=it%27s+%28a%29%2A%21~']],
  [`curl -d @- ${u} <<< '{"a":1}'`, [form, '{"a":1}']],
  [`echo '{"a":1}' | curl -d @- ${u}`, [form, '{"a":1}']],
  [`printf '%s' 'a b' | curl --data-binary @- ${u}`, [form, 'a b']],
  [`cat <<EOF | curl -d @- ${u}\n{"h":1}\nEOF`, [form, '{"h":1}']],
  [`curl -d @- ${u} <<EOF\n{"a":"$A \\$b"}\nEOF`, [form, '{"a":"{{A}} $b"}']],
  [`curl -d @- ${u} <<'EOF'\n{"a":"$A"}\nEOF`, [form, '{"a":"$A"}']],
  [`curl -d "$(cat <<'EOF'\n{"it's": "(1)"}\nEOF\n)" ${u}`, [form, '{"it\'s": "(1)"}']],
  [`curl -d "$(cat <<EOF\n{"a": $A}\nEOF\n)" ${u}`, [form, '{"a": {{A}}}']],
  [`curl -d a=1 -d @list.txt -d c=3 ${u}`, [form, 'a=1&{{content_of_list.txt}}&c=3']],
])('sends what curl would: %s', (command, expected) => {
  expect(read(command).sent).toEqual([[expect.stringMatching(/^(?:GET|POST) /), ...expected]]);
});

it('asks for the value of a file in the middle of a body, and for no copy of it', () => {
  expect(read(`curl -d a=1 -d @/tmp/list.txt -d c=3 ${u}`).notes).toEqual([
    "Its body has what 'list.txt' holds in the middle: give {{content_of_list.txt}} that value.",
  ]);
  expect(read(`curl -d @/tmp/list.txt ${u}`).notes).toEqual([
    "Its body holds the file '/tmp/list.txt', which was not imported: copy it beside the request. curl takes the line ends out of it (-d), and here they stay.",
  ]);
});

it('reads the parts of a form as curl does', () => {
  const [[, type, body]] = read(
    `curl -F 'h=i;j' -F 'f=@/tmp/a.txt' -F 'g=@b.bin;filename=c.png' -F 'd=<note.txt' ${u}`,
  ).sent as [string[]];
  expect(type).toMatch(/^Content-Type: multipart\/form-data; boundary=/);
  const heads = body!.split('\r\n').filter((line) => line.startsWith('Content-'));
  expect(heads).toEqual([
    'Content-Disposition: form-data; name="h"',
    'Content-Disposition: form-data; name="f"; filename="a.txt"',
    'Content-Type: text/plain',
    'Content-Disposition: form-data; name="g"; filename="c.png"',
    'Content-Type: image/png',
    'Content-Disposition: form-data; name="d"',
  ]);
  expect(body).toContain('name="h"\r\n\r\ni\r\n');
});

describe('a page or a script', () => {
  it('is one command where a page printed its lines without what joins them', () => {
    const { sent, notes } = read(
      `curl ${u}\n-H "Authorization: Bearer SECRET_KEY"\n-H "Content-Type: application/json"\n-d '{ "a": 1,\n "b": 2 }'\n-X PUT\n`,
    );
    expect(sent).toEqual([[`PUT ${u}`, 'Authorization: Bearer SECRET_KEY', json, '{ "a": 1,\n "b": 2 }']]);
    expect(notes).toEqual(['Nothing joined its lines (\\ at their ends): they were read as one command.']);
  });

  it('gives the blocks of code of Markdown, whatever stands around them', () => {
    const { sent, notes } = read(
      [
        "It's easier in the dashboard. Use this curl command (don't share it):",
        '```bash',
        "export SHORT='174379'",
        `curl ${u} -d "code=$SHORT"`,
        '```',
        "then you'll get",
        '```json',
        '{ "id": "P-1" }',
        '```',
        '~~~sh',
        `curl ${u}/2`,
        '~~~',
      ].join('\n'),
    );
    expect(sent.map(([line]) => line)).toEqual([`POST ${u}`, `GET ${u}/2`]);
    expect(notes[0]).toBe('Only its blocks of code were read, as it is a page of Markdown.');
  });

  it('reads each block of a page by itself: its quotes, its shell', () => {
    const { sent } = read(
      [
        '```sh',
        `curl ${u}/1 -d 'never closed`,
        '```',
        '```powershell',
        `Invoke-RestMethod -Uri "${u}/2"`,
        '```',
        '```bat',
        `curl ${u}/3 ^`,
        '  -H "A: b"',
        '```',
      ].join('\n'),
    );
    expect(sent.map(([line]) => line)).toEqual([`POST ${u}/1`, `GET ${u}/2`, `GET ${u}/3`]);
    expect(sent[2]).toContain('A: b');
  });

  it('takes fences in a body for a part of it', () => {
    const body = 'Look:\n```\ncurl https://other.example\n```\n';
    const { sent } = read(`curl ${u} -H 'Content-Type: text/plain' --data-binary '${body}'`);
    expect(sent).toEqual([[`POST ${u}`, 'Content-Type: text/plain', body]]);
  });

  it('says that braces in a body are text to curl and a variable here', () => {
    const { sent, notes } = read(`A=1\ncurl ${u} -d '{"a":"{{name}}","b":"{{ c.d }}"}'\ncurl ${u}/2 -d "$A"`);
    expect(sent[0]).toContain('{"a":"{{name}}","b":"{{ c.d }}"}');
    const told = notes.filter((note) => note.includes('{{'));
    expect(told).toEqual([
      expect.stringContaining('Its body has {{name}} and 1 more, which are sent as they stand there;'),
    ]);
  });

  it('says so of braces in an address and in headers, too, and of none that the shell fills in', () => {
    const { sent, notes } = read(
      `NAME=1\ncurl '{{base}}/a?b={{c}}' -H 'Authorization: Bearer {{token}}' -H "X-Shell: $NAME"`,
    );
    expect(sent[0]).toContain('X-Shell: {{NAME}}');
    expect(notes.filter((note) => note.includes('{{'))).toEqual([
      'Its address has {{base}} and 1 more, which are sent as they stand there; here they are variables. Give them values in Environments.',
      'Its headers have {{token}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
    ]);
  });

  it('says so of calls of PowerShell, and of none that its own variables become', () => {
    const { sent, notes } = read(
      `Invoke-RestMethod -Uri "{{base}}/a/$id" -Method POST -Headers @{ 'X-Key' = '{{key}}'; 'X-Id' = "$other" } -Body '{"a":"{{b}}"}'`,
    );
    expect(sent[0]).toEqual(
      expect.arrayContaining(['POST {{base}}/a/{{id}}', 'X-Id: {{other}}', '{"a":"{{b}}"}']),
    );
    expect(notes.filter((note) => note.includes('as it stands there'))).toEqual([
      'Its address has {{base}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
      'Its headers have {{key}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
      'Its body has {{b}}, which is sent as it stands there; here it is a variable. To send it as it stands, put the body into a file beside the request and write `< ./file` in its place.',
    ]);
  });

  it('names no value for what is made or known when the request is sent', () => {
    const { notes } = read(`curl '${u}/{{$uuid}}' -H 'X-Last: {{last_reference}}'`);
    expect(notes.filter((note) => note.includes('as it stands there'))).toEqual([
      'Its address has {{$uuid}}, which is sent as it stands there; here it is a variable.',
      'Its headers have {{last_reference}}, which is sent as it stands there; here it is a variable.',
    ]);
  });

  it('says so of braces that moved to a header, and not of those in a file or written otherwise here', () => {
    const moved = read(`curl 'https://{{user}}:{{word}}@pay.example/a'`);
    expect(moved.notes.filter((note) => note.includes('there;'))).toEqual([
      expect.stringMatching(/^Its headers have \{\{user\}\} and 1 more, which are sent/),
    ]);
    const inFile = read(`curl ${u} -d '###\n{{a}}'`);
    expect(inFile.notes.filter((note) => note.includes('there;'))).toEqual([]);
    expect(inFile.notes).toContain('Variables in that file are not filled in.');
  });

  it('gives the calls whose answers it keeps', () => {
    const { sent, notes } = read(
      [
        `ANSWER=$(curl -s -X POST ${u} -d '{"a":")"}')`,
        `export TOKEN=$(curl -s ${u}/token | jq -r .access_token)`,
        `curl ${u}/me -H "Authorization: Bearer $TOKEN"`,
      ].join('\n'),
    );
    expect(sent.map(([line]) => line)).toEqual([`POST ${u}`, `GET ${u}/token`, `GET ${u}/me`]);
    expect(sent[2]).toContain('Authorization: Bearer {{TOKEN}}');
    expect(notes).toContain(
      'TOKEN is what a command prints, which is not run: give it a value, or write `# @capture TOKEN = body …` in the request whose answer has it.',
    );
  });

  it('takes quotes of a text processor, and the prompts of a terminal, for what they are', () => {
    const quoted = read(`curl -X PUT “${u}" -H ‘Content-Type: application/json’ -d ‘{"a": 1}’`);
    expect(quoted.sent).toEqual([[`PUT ${u}`, json, '{"a": 1}']]);
    expect(quoted.notes).toEqual([expect.stringContaining('those of a text processor')]);
    const typed = read(`$ curl ${u} \\\n>   -H 'A: b' \\\n>   -d '{"x":1}'\nHTTP/1.1 200 OK\n`);
    expect(typed.sent).toEqual([[`POST ${u}`, 'A: b', form, '{"x":1}']]);
  });

  const jsonBoth = [json, 'Accept: application/json'];
  it.each<[string, string[]]>([
    [`$ curl ${u} \\\n> --json '{\n>   "a": 1\n> }'\n`, [`POST ${u}`, ...jsonBoth, '{\n  "a": 1\n}']],
    [`me@host:~$ curl ${u} --json '{\n> "a": 1}'`, [`POST ${u}`, ...jsonBoth, '{\n"a": 1}']],
    [`C:\\Users\\A b>curl ${u} ^\r\nMore? -d "a=1"`, [`POST ${u}`, form, 'a=1']],
    [`PS C:\\> curl.exe ${u} --json '{\\"a\\":1}'`, [`POST ${u}`, ...jsonBoth, '{"a":1}']],
    [`PS C:\\> curl.exe ${u} -d 'a=1'`, [`POST ${u}`, form, 'a=1']],
    [`PS C:\\> curl.exe ${u} \`\r\n>> -H 'A: b' \`\r\n>>   -d 'a=1'`, [`POST ${u}`, 'A: b', form, 'a=1']],
    [`PS C:\\a b> $b = 'a=1'\nPS C:\\a b> irm ${u} -Method Post \`\n>> -Body $b`, [`POST ${u}`, form, 'a=1']],
    [
      `curl ${u} --json '"\nC:\\a>curl b\nPS C:\\> irm"'`,
      [`POST ${u}`, ...jsonBoth, '"\nC:\\a>curl b\nPS C:\\> irm"'],
    ],
    [`$ curl ${u} -d @- <<E\n> > a\n> b\n> E\n{"ok":1}`, [`POST ${u}`, form, '> ab']],
    [`$ curl ${u} --json @- <<E\n> a\nb\nE\n`, [`POST ${u}`, ...jsonBoth, '> a\nb\n']],
    [`$ curl ${u} --json '"\n> a\nb"'\n`, [`POST ${u}`, ...jsonBoth, '"\n> a\nb"']],
    [`$ curl ${u} \\\n  > out.json\n`, [`GET ${u}`, '']],
    [`$ curl ${u} \\\n  -H 'A: b' \\\n  > out.json\n`, [`GET ${u}`, 'A: b', '']],
    [`  $ curl \\\n  > -H 'A: b' \\\n  > a.example/pay\n`, ['GET http://a.example/pay', 'A: b', '']],
    [`PS C:\\> curl ${u} --json "{\\"a\\": 1}"`, [`POST ${u}`, ...jsonBoth, '{"a": 1}']],
    [`(venv) PS C:\\me> irm ${u}`, [`GET ${u}`, '']],
    [`(base) C:\\me>curl ${u} -d "it's"`, [`POST ${u}`, form, "it's"]],
    [`PS C:\\> curl -Uri ${u} -Method POST -Body 'a=1'`, [`POST ${u}`, form, 'a=1']],
    [`curl ${u} -Method PUT`, [`PUT ${u}`, '']],
    [`curl ${u} --json '"\ncurl -Uri x"'`, [`POST ${u}`, ...jsonBoth, '"\ncurl -Uri x"']],
    [`$ curl -v ${u}\n> GET /pay HTTP/1.1\n> Host: a.example\n`, [`GET ${u}`, '']],
    ...[
      ...['curl', 'host:~ me$ curl', 'host% curl', 'bash-5.1$ curl', '[me@host dir]$ curl', '[me@h ~]# curl'],
      '> curl',
    ].map((call): [string, string[]] => [
      `${call} ${u} \\\n> -H 'A: b' \\\n>  -d a=1`,
      [`POST ${u}`, 'A: b', form, 'a=1'],
    ]),
    [`curl ${u} --json '{\n>   "a": 1\n> }'\n`, [`POST ${u}`, ...jsonBoth, '{\n  "a": 1\n}']],
    [`me@mac ~ % curl ${u} --json '{\nquote> "a": 1}'`, [`POST ${u}`, ...jsonBoth, '{\n"a": 1}']],
    [`a:~$ curl ${u} \\\n> -d @- <<<"x << y"\na:~$ exit\n`, [`POST ${u}`, form, 'x << y']],
    [`Hi!\n> \`\`\`sh\n> curl ${u} -d a=1\n> \`\`\``, [`POST ${u}`, form, 'a=1']],
    [`curl.exe ${u} \`\r\n>> -H 'A: b' \`\r\n>> -d 'a=1'`, [`POST ${u}`, 'A: b', form, 'a=1']],
    [`curl ${u} ^\r\nMore? -H "A: b" ^\r\nMore? -d "a=1"`, [`POST ${u}`, 'A: b', form, 'a=1']],
    [`PS> irm ${u}`, [`GET ${u}`, '']],
    [`me@host ~/x> curl ${u} \\\n    -d a=1`, [`POST ${u}`, form, 'a=1']],
    [
      `curl ${u} --json '"\nme@host ~/x> curl b\n5$ a="'`,
      [`POST ${u}`, ...jsonBoth, '"\nme@host ~/x> curl b\n5$ a="'],
    ],
    [
      `PS C:\\> curl ${u} \`\r\n>> --json "{\\"a\\": \\"it's \\\\\\"1\\"}"`,
      [`POST ${u}`, ...jsonBoth, '{"a": "it\'s \\"1"}'],
    ],
    [`PS C:\\> curl ${u} --json '{"a": "{\\"b\\":1}"}'`, [`POST ${u}`, ...jsonBoth, '{"a": "{\\"b\\":1}"}']],
    [`# isn't\ncurl "$url/x y" \`\n  -method put -body 'a=1'`, ['PUT {{url}}/x%20y', form, 'a=1']],
    [`curl ${u} -d 'run iwr now'`, [`POST ${u}`, form, 'run iwr now']],
  ])('leaves out what a terminal wrote: %j', (text, wanted) => {
    expect(read(text).sent).toEqual([wanted]);
  });

  it('takes what is set behind a prompt, and a second call that a line goes on with', () => {
    const text = `me@h:~$ export TOKEN=\\\n> b\nme@h:~$ curl -H "A: $TOKEN" ${u} && \\\n> curl ${u}/2\n`;
    const both = [
      [`GET ${u}`, 'A: b', ''],
      [`GET ${u}/2`, ''],
    ];
    expect(read(text)).toEqual({ sent: both, notes: [expect.stringMatching(/^It had no base_url/)] });
    expect(read(`curl ${u} && \\\n> curl ${u}/2`).sent).toHaveLength(2);
  });

  it.each([
    ["$ cat <<EOF | curl -d @- U\n> {'a':1}\n> EOF\n$ curl U/2", "{'a':1}"],
    ["$ cat <<'EOF' | curl -d @- U\n{'a':1}\nEOF\n$ curl U/2", "{'a':1}"],
    ['me@h:~$ cat << EOF | curl -d @- U\nheredoc> a\nheredoc> EOF\nme@h:~$ curl U/2', 'a'],
    ["$ echo '<a>' | curl -d @- U\n$ curl U/2", '<a>'],
  ])('takes the body that a command behind a prompt prints: %j', (text, body) => {
    const sent = [
      [`POST ${u}`, form, body],
      [`GET ${u}/2`, ''],
    ];
    expect(read(text.replaceAll('U', u))).toEqual({ sent, notes: [] });
  });

  it.each([
    ['curl.exe', 'PS C:\\> curl.exe', "it's"],
    ['irm', '(venv) PS C:\\> irm', '1'],
    ['curl', 'C:\\>curl', '1'],
    ['curl', 'me@host ~/x> curl', '1'],
  ])('takes the second call where the first prompt was not copied: %s, %s', (first, second, answer) => {
    const { sent } = read(`${first} ${u}\n{"a":"${answer}"}\n${second} ${u}/2\n`);
    expect(sent).toEqual([
      [`GET ${u}`, ''],
      [`GET ${u}/2`, ''],
    ]);
  });

  it('makes no call of a line of a heredoc that looks like one behind a prompt, nor of one where nothing ends it', () => {
    const call = `curl ${u} -d @- <<EOF\nme@host ~/x> curl x\nEOF\n`;
    const sent = [`POST ${u}`, form, 'me@host ~/x> curl x'];
    expect(read(`${call}(venv) me@host ~/x (main)> curl ${u}/2`).sent).toEqual([sent, [`GET ${u}/2`, '']]);
    expect(read(call.replace('<<EOF', '<<END')).sent).toEqual([[...sent.slice(0, 2), `${sent[2]}EOF`]]);
  });

  it.each([
    ["$env:TOKEN = 'x y'\n", '$env:TOKEN', 'x y'],
    ["PS C:\\> $env:TOKEN = 'x'\nPS C:\\> ", '$env:TOKEN', 'x'],
    ["$TOKEN='x'; ", '$TOKEN', 'x'],
    ["$TOKEN = @'\nx\n'@\n", '${TOKEN}', 'x'],
    ['$TOKEN = 5\n', '$TOKEN', '5'],
  ])('takes what PowerShell sets before a call of curl: %j', (before, name, value) => {
    const text = `${before}curl.exe -H "Authorization: Bearer ${name}" ${u}`;
    const based = 'It had no base_url: https://a.example is added, where its requests go.';
    expect(read(text)).toEqual({
      sent: [[`GET ${u}`, `Authorization: Bearer ${value}`, '']],
      notes: [based],
    });
    expect(read(`curl.exe -H "A: $env:B" ${u}`)).toEqual({ sent: [[`GET ${u}`, 'A: {{B}}', '']], notes: [] });
  });

  it('takes blanks and dashes of a text processor for what they are', () => {
    const b = '\u00a0';
    const { sent, notes } = read(
      `curl${b}—request PUT ${u} –H${b}'A: b${b}–c' \\${b}\n –data 'x=–1' –s ––compressed`,
    );
    expect(sent).toEqual([[`PUT ${u}`, `A: b${b}–c`, form, 'x=–1']]);
    expect(notes.slice(-2)).toEqual([
      'Its blanks are those of a text processor, and were read as plain ones.',
      'Its dashes are those of a text processor, and were read as plain ones.',
    ]);
  });

  it('reads a batch file of the command prompt', () => {
    const { sent, notes } = read(
      [
        '@echo off',
        "REM Step 1: it's a payment",
        'set "ID=17"',
        `curl -X POST ${u} -d amount=1000 > answer.json`,
        `curl ${u}/%ID%/confirm 2>nul | findstr id`,
      ].join('\r\n'),
    );
    expect(sent).toEqual([
      [`POST ${u}`, form, 'amount=1000'],
      [`GET ${u}/{{ID}}/confirm`, ''],
    ]);
    expect(notes[0]).toBe("The command 'findstr…' is none of curl, and left out.");
  });

  it('says that a body was made by a part of PowerShell that is not run', () => {
    const { sent, notes } = read(
      `Invoke-RestMethod -Method Post -Uri "${u}" -ContentType "application/json" -Body (@{ amount = 100 } | ConvertTo-Json)`,
    );
    expect(sent).toEqual([[`POST ${u}`, json, '']]);
    expect(notes).toEqual(['Its body is made by a part of the script that is not run: put the body in.']);
    expect(read(`$b = @{ a = 1 } | ConvertTo-Json\nirm ${u} -Method Post -Body $b`).sent[0]).toContain(
      '{{b}}',
    );
  });
});

it.each(['OAuth2.0 {{t}}', 'AWS4-HMAC-SHA256 {{t}}', 'Zoho-oauthtoken {{t}}'])(
  'takes a request with its scheme as it stands: Authorization: %s',
  (value) => {
    const { files } = importDocument(
      { name: 'given', files: [{ path: 'given', text: `curl ${u} -H 'Authorization: ${value}'` }] },
      'curl',
    );
    expect(files.map(({ content }) => content)).toEqual([expect.stringContaining(`Authorization: ${value}`)]);
  },
);

it.each([
  '> $ curl https://a/x \\\n>   -d b\n',
  '> curl https://a/x \\\n>   -d b\n>\n> {}\n',
  'So:\n\n> $ curl https://a/x \\\n> > -d b\n',
])('is read where a page quotes it with its prompts: %j', (text) => {
  expect(read(text).sent).toEqual([['POST https://a/x', form, 'b']]);
});

it.each(['A=1 ', 'exec ', '$ sudo A=1 '])(
  'keeps a line that looks quoted in the text of a call behind %j',
  (before) => {
    expect(read(`${before}curl https://a/x --json '"\n> curl b"'`).sent[0]!.at(-1)).toBe('"\n> curl b"');
  },
);

it('is read with what encodes its values where its lines end in CR and LF', () => {
  const script =
    'encode() {\n  printf x\n}\nid=${id-}\nid_encoded=$(encode "${id-}")\ncurl https://a/"$id_encoded"\n';
  const based = 'It had no base_url: https://a is added, where its requests go.';
  for (const text of [script, script.replaceAll('\n', '\r\n')])
    expect(read(text)).toEqual({ sent: [['GET https://a/{{%id}}', '']], notes: [based] });
});
