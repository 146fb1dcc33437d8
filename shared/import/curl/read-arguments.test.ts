import { describe, expect, it } from 'vitest';
import { readCurlArguments } from './read-arguments';
import { INLINE_BYTES } from './shell-command';

const u = 'https://a.example/pay';

/** The one request of some words: what leaves, and what is said of it. */
function read(words: readonly string[], input: string | null = null) {
  const requests = readCurlArguments(words, input);
  expect(requests).toHaveLength(1);
  const { method, url, headers, body, notes } = requests[0]!;
  return { sent: `${method} ${url}`, headers, parts: body?.parts ?? null, bytes: body?.bytes, notes };
}

describe('addresses', () => {
  it.each([
    [['-'], ['GET -']],
    [['--', u], [`GET ${u}`]],
    [
      [u, '--', `${u}/2`],
      [`GET ${u}`, `GET ${u}/2`],
    ],
    [['--url', u], [`GET ${u}`]],
    [
      ['-X', 'PUT', u, '--next', `${u}/2`],
      [`PUT ${u}`, `GET ${u}/2`],
    ],
    [[], []],
  ])('of %j are %j, and nothing is said', (words, wanted) => {
    const requests = readCurlArguments(words, null);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(wanted);
    expect(requests.flatMap(({ notes }) => notes)).toEqual([]);
  });
});

describe('a path whose dots curl would send', () => {
  it.each([
    [['--path-as-is', 'https://a.example/a/../b'], 1],
    [['--path-as-is', 'https://a.example/a/%2E/b?c=d'], 1],
    [['--path-as-is', 'https://a.example/a/b.c/...?d=/../'], 0],
    [['https://a.example/a/../b'], 0],
  ])('of %j is told %i times', (words, times) => {
    expect(read(words).notes.filter((note) => note.includes('--path-as-is'))).toHaveLength(times);
  });
});

describe('headers', () => {
  it.each<[string[], [string, string][]]>([
    [['-H', 'A:  b '], [['A', 'b']]],
    [['-H', 'A : b'], [['A', 'b']]],
    [['-HA: b:c'], [['A', 'b:c']]],
    [['-H', 'A ;'], [['A', '']]],
    [['-H', 'A'], []],
    [['-H', 'A:'], []],
    [['-e', 'https://b.example/;auto'], [['Referer', 'https://b.example/']]],
    [['-e', 'https://b.example/;automatic'], [['Referer', 'https://b.example/;automatic']]],
    [['-e', ''], []],
    [['-r', '0-9'], [['Range', 'bytes=0-9']]],
    [['-b', ''], []],
    [['-b', 'a=1'], [['Cookie', 'a=1']]],
    [['-b', '{{session}}'], [['Cookie', '{{session}}']]],
    [['--oauth2-bearer', 't'], [['Authorization', 'Bearer t']]],
  ])('of %j are %j, and nothing is said', (words, headers) => {
    expect(read([...words, u])).toEqual({
      sent: `GET ${u}`,
      headers,
      parts: null,
      bytes: undefined,
      notes: [],
    });
  });
});

describe('what is not taken over', () => {
  it.each([
    [['-H', '@kept.txt'], "Its headers in the file 'kept.txt' are not taken over."],
    [['-b', 'jar.txt'], "Its cookies in the file 'jar.txt' are not taken over."],
    [['--no-such-thing', '-s'], 'The option --no-such-thing is not taken over.'],
    [['--user=me:s3cret', '-s'], 'The option --user… is not taken over.'],
    [['--user me:s3cret'], 'The option --user… is not taken over.'],
    [['-?'], 'The option -? is not taken over.'],
    [
      ['--digest'],
      'Its authentication (--digest) is not taken over: put the header in that the service asks for.',
    ],
    [['-k'], 'Certificates are always checked here: --insecure is left out.'],
    [['-L'], 'Redirects are shown and followed by a click, never by themselves: --location is left out.'],
    [['-d', '@-'], 'Its body comes from another command, which is not run: put the body in.'],
    [
      ['-d', '@body.json'],
      "Its body holds the file 'body.json', which was not imported: copy it beside the request. curl takes the line ends out of it (-d), and here they stay.",
    ],
    [
      ['--data-binary', '@body.json'],
      "Its body holds the file 'body.json', which was not imported: copy it beside the request.",
    ],
  ])('of %j is said', (words, note) => {
    expect(read([...words, u])).toMatchObject({
      sent: expect.stringContaining(u),
      headers: expect.anything(),
      notes: [note],
    });
  });

  it('quotes of a long name no more than its beginning', () => {
    const name = 'x'.repeat(10_000);
    for (const words of [
      ['-H', `@${name}`],
      ['-b', name],
    ]) {
      expect(read([...words, u]).notes[0]!.length).toBeLessThan(300);
    }
  });
});

describe('bodies', () => {
  it.each<[string[], string | null, (string | { file: string })[]]>([
    [['-d', '@-'], 'a=1\r\nb=2\0\n', ['a=1b=2']],
    [['--data-binary', '@-'], 'a=1\nb=2\n', ['a=1\nb=2\n']],
    [['--json', '@-'], '{\n}', ['{\n}']],
    [['-T', '-'], 'a\nb', ['a\nb']],
    [['--data-raw', '@-'], 'unread', ['@-']],
    [['--data-binary', '@a/b.bin'], 'unread', [{ file: './b.bin' }]],
    [['-T', 'a/b.bin'], null, [{ file: './b.bin' }]],
    [['--data-urlencode', 'a b'], null, ['a+b']],
    [['--data-urlencode', '=a=b@c'], null, ['a%3Db%40c']],
    [['--data-urlencode', 'n=a\nb'], null, ['n=a%0Ab']],
    [['--data-urlencode', '@-'], 'a\nb', ['a%0Ab']],
    [['--data-urlencode', 'n@-'], 'a b', ['n=a+b']],
    [['--data-urlencode', '@f.txt'], null, ['{{%content_of_f.txt}}']],
    [['-d', ''], null, []],
  ])('of %j, given %j, are %j', (words, input, parts) => {
    const { parts: found } = read([...words, u], input);
    expect(found ?? []).toEqual(parts);
  });

  it('of a file for a name are a variable: no request file can say so', () => {
    const { parts, notes } = read(['--data-urlencode', 'n@f.txt', u]);
    expect(parts).toEqual(['n={{%content_of_f.txt}}']);
    expect(notes).toEqual([
      "Its body has what 'f.txt' holds: give {{content_of_f.txt}} that value as it is; it is encoded where it leaves.",
    ]);
  });

  it('are the bytes that our own export wrote into the command', () => {
    const { parts, bytes, notes } = read(['--data-binary', `@${INLINE_BYTES}AAH/`, u]);
    expect([parts, [...bytes!], notes]).toEqual([[], [0, 1, 255], []]);
    expect(read(['--data-binary', `x@${INLINE_BYTES}`, u]).parts).toEqual([`x@${INLINE_BYTES}`]);
  });

  it.each([
    ['a b', 'a+b'],
    ['n=a b', 'n=a+b'],
    ['=a b', 'a+b'],
    ['+n=a b', 'n=a b'],
  ])('are none of a query: --url-query %j adds %j', (given, query) => {
    expect(read(['--url-query', given, u]).sent).toBe(`GET ${u}?${query}`);
  });
});

describe('forms', () => {
  const head = (disposition: string, type = ''): string =>
    `--countersign-boundary\r\nContent-Disposition: form-data; ${disposition}${type === '' ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n`;
  const end = '\r\n--countersign-boundary--\r\n';

  it.each<[string, (string | { file: string })[]]>([
    ['a=b', [`${head('name="a"')}b${end}`]],
    ['a=b"', [`${head('name="a"')}b"${end}`]],
    ['a', [`${head('name="a"')}${end}`]],
    ['a=x<', [`${head('name="a"')}x<${end}`]],
    ['a="x;y";type=text/csv', [`${head('name="a"', 'text/csv')}x;y${end}`]],
    ['a="q\\"\\\\";filename="n.bin"', [`${head('name="a"; filename="n.bin"')}q"\\${end}`]],
    ['a=x; filename=n.bin', [`${head('name="a"; filename="n.bin"')}x${end}`]],
    ['a=x;type=text/plain; charset=utf-8', [`${head('name="a"', 'text/plain; charset=utf-8')}x${end}`]],
    ['a=x; type= text/plain ;filename=n', [`${head('name="a"; filename="n"', 'text/plain')}x${end}`]],
    [
      'a=@d/f.json',
      [head('name="a"; filename="f.json"', 'application/octet-stream'), { file: './f.json' }, end],
    ],
    ['a=<d/f.json', [head('name="a"'), { file: './f.json' }, end]],
    ['a=<p.xml;filename=q.txt', [head('name="a"', 'application/xml'), { file: './p.xml' }, end]],
    ['a=@"f g.txt"', [head('name="a"; filename="f g.txt"', 'text/plain'), { file: './f g.txt' }, end]],
    [
      'a=@f.txt;filename="x\\"y;z"',
      [head('name="a"; filename="x%22y;z"', 'text/plain'), { file: './f.txt' }, end],
    ],
    ['a=x;headers="X-A: b"', [`${head('name="a"').trimEnd()}\r\nX-A: b\r\n\r\nx${end}`]],
    ['=x', [`${head('').replace('; \r', '\r')}x${end}`]],
    [
      'a=@f.txt,g.txt',
      [
        head('name="a"; filename="f.txt"', 'text/plain'),
        { file: './f.txt' },
        `\r\n${head('name="a"; filename="g.txt"', 'text/plain')}`,
        { file: './g.txt' },
        end,
      ],
    ],
  ])('of -F %s are these parts', (given, parts) => {
    const { sent, parts: found, headers } = read(['-F', given, u]);
    expect([sent, found]).toEqual([`POST ${u}`, parts]);
    expect(headers).toEqual([['Content-Type', 'multipart/form-data; boundary=countersign-boundary']]);
  });

  it('take a text for a text with --form-string', () => {
    expect(read(['--form-string', 'a=@b;type=c', u]).parts).toEqual([`${head('name="a"')}@b;type=c${end}`]);
    expect(read(['--form-string', 'a', u]).parts).toEqual([`${head('name="a"')}${end}`]);
  });

  it.each([
    [
      'a=@f.txt,"g h.txt"',
      'curl would send several files as one part of its form; here each is a part of its own.',
    ],
    ['a=x;encoder=base64', 'The encoding of a part of its form (encoder=base64) is not taken over.'],
    ['a=x;headers=@f.txt', "The headers of a part of its form in the file 'f.txt' are not taken over."],
  ])('say of -F %s what is sent otherwise', (given, note) => {
    expect(read(['-F', given, u]).notes).toContain(note);
  });

  it('say once that groups of parts stand beside each other', () => {
    const { parts, notes } = read(['-F', '=(;type=multipart/alternative', '-F', 'a=x', '-F', '=)', u]);
    expect(parts).toEqual([`${head('name="a"')}x${end}`]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('stand beside each other here');
  });

  it('say which file is to be brought along', () => {
    expect(read(['-F', 'a=@f.bin', u]).notes).toEqual([
      "Its body holds the file 'f.bin', which was not imported: copy it beside the request.",
    ]);
  });
});
