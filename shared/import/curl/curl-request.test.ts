import { describe, expect, it } from 'vitest';
import { readCurlArguments } from './read-arguments';

const u = 'https://a.example/pay';
const form = 'Content-Type: application/x-www-form-urlencoded';
const json = 'Content-Type: application/json';

const read = (words: readonly string[]) =>
  readCurlArguments(words, null).map(({ method, url, headers, body, notes }) => ({
    sent: [`${method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)],
    body: body?.parts ?? null,
    notes,
  }));

it.each<[string[], string[], string | null]>([
  [['-G', '-d', 'a=1', '-d', 'b=2'], [`GET ${u}?a=1&b=2`], null],
  [['-G'], [`GET ${u}`], null],
  [['-G', '-d', ''], [`GET ${u}`], null],
  [['-G', '--url-query', 'a=1', '-d', 'b=2'], [`GET ${u}?a=1&b=2`], null],
  [['--url-query', ''], [`GET ${u}`], null],
  [['-I'], [`HEAD ${u}`], null],
  [['-I', '-X', 'GET'], [`GET ${u}`], null],
  [['-I', '-G', '-d', 'a=1'], [`HEAD ${u}?a=1`], null],
  [['-d', 'a', '-d', 'b'], [`POST ${u}`, form], 'a&b'],
  [['-d', ''], [`POST ${u}`, form], null],
  [['--json', '{', '--json', '}'], [`POST ${u}`, json, 'Accept: application/json'], '{}'],
  [
    ['--json', '1', '-H', 'accept: a/b', '-H', 'content-type: c/d'],
    [`POST ${u}`, 'accept: a/b', 'content-type: c/d'],
    '1',
  ],
  [['-d', 'a', '-H', 'Content-Type:'], [`POST ${u}`], 'a'],
  [['-A', 'me', '-H', 'User-Agent:'], [`GET ${u}`], null],
  [['-A', 'me', '-H', 'user-agent: you'], [`GET ${u}`, 'user-agent: you'], null],
  [['-b', 'a=1', '-b', 'b=2'], [`GET ${u}`, 'Cookie: a=1;b=2'], null],
  [['-u', 'asha:x:y'], [`GET ${u}`, 'Authorization: Basic asha:x:y'], null],
  [['-u', 'asha:x', '-H', 'Authorization:'], [`GET ${u}`], null],
  [['-u', 'asha'], [`GET ${u}`, 'Authorization: Basic asha:{{password}}'], null],
  [['-u', 'asha:x', '-H', 'Authorization: Bearer t'], [`GET ${u}`, 'Authorization: Bearer t'], null],
])('%j sends %j with %j', (words, sent, body) => {
  expect(read([...words, u])).toEqual([{ sent, body: body === null ? null : [body], notes: [] }]);
});

describe('addresses', () => {
  it('all get what the command says', () => {
    expect(read(['-d', 'a=1', u, `${u}/2`]).map(({ sent, body }) => [...sent, body])).toEqual([
      [`POST ${u}`, form, ['a=1']],
      [`POST ${u}/2`, form, ['a=1']],
    ]);
  });

  it('are missing from a command that has none, and from nothing at all', () => {
    expect(read(['-X', 'PUT'])).toEqual([{ sent: ['PUT '], body: null, notes: [] }]);
    expect(read([])).toEqual([]);
  });

  it.each([
    ['https://a/x[1-3]', true],
    ['https://a/[a-z]', true],
    ['https://a/[001-100:10]', true],
    ['https://a/[1-3]/{x,y}', true],
    ['https://a/{one,two}', true],
    ['https://a/{,two}', true],
    ['https://a/{one,}', true],
    ['https://a/{{one}}/{two,three}', true],
    ['https://a/{{one,two}}', false],
    ['https://a/{one}', false],
    ['https://[::1]/x', false],
    ['https://a/?x=[]', false],
    ['https://a/?x[0]=a-b', false],
    ['https://a/[1-]', false],
    ['https://a/[-1]', false],
  ])('as %s stand for several: %s', (url, isSeveral) => {
    const note =
      'curl would make several addresses of its brackets or braces; here they are sent as they stand.';
    expect(read([url])[0]!.notes).toEqual(isSeveral ? [note] : []);
    expect(read(['-g', url])[0]!.notes).toEqual([]);
  });

  it('end with the name of the file that goes to a folder', () => {
    const address = (url: string): string => read(['-T', 'out/pay 1.csv', url])[0]!.sent[0]!;
    expect(address('https://a/in/')).toBe('PUT https://a/in/pay 1.csv');
    expect(address('https://a/in')).toBe('PUT https://a/in');
    expect(read(['https://a/in/'])[0]!.sent).toEqual(['GET https://a/in/']);
  });

  it.each([
    ['-H', 'A: 1'],
    ['-d', 'a=1'],
    ['-F', 'a=1'],
    ['--url-query', 'a=1'],
    ['-b', 'a=1'],
  ])('are refused where a command sends %s %s a thousand times to each of 1,001', (...words) => {
    const all = [
      ...Array.from({ length: 1000 }, () => words).flat(),
      ...Array.from({ length: 1001 }, () => u),
    ];
    expect(() => readCurlArguments(all, null)).toThrow('Import it in parts.');
  });

  it('are refused by number of both', () => {
    const words = Array.from({ length: 1001 }, (_one, at) => ['-H', `A${at}: 1`]).flat();
    const urls = Array.from({ length: 1000 }, () => u);
    expect(() => readCurlArguments([...words, ...urls], null)).toThrow(
      'One command gives 1001 headers, parts and options to 1000 addresses.',
    );
    expect(readCurlArguments([...words.slice(2), ...urls.slice(0, 10)], null)).toHaveLength(10);
  });
});

describe('forms', () => {
  it('leave data out, and the type that would have no boundary', () => {
    const [{ sent, body, notes } = { sent: [], body: null, notes: [] }] = read([
      '-F',
      'a=b',
      '-d',
      'c',
      '-H',
      'content-TYPE: multipart/form-data',
      '-H',
      'A: 1',
      u,
    ]);
    expect(sent).toEqual([
      `POST ${u}`,
      'A: 1',
      'Content-Type: multipart/form-data; boundary=countersign-boundary',
    ]);
    expect(body!.join('')).toContain('name="a"\r\n\r\nb');
    expect(notes).toEqual(['Its data (-d) is left out: curl sends either a form (-F) or data.']);
    expect(read(['-F', 'a=b', u])[0]!.notes).toEqual([]);
    const typed = (type: string) => read(['-H', `Content-Type: ${type}`, '-F', 'a=b', u])[0]!;
    expect(typed('multipart/mixed; boundary=abc').sent[1]).toBe(
      'Content-Type: multipart/mixed; boundary=countersign-boundary',
    );
    expect(typed('multipart/form-data').notes).toEqual([]);
    expect(typed('application/json').sent[1]).toBe(
      'Content-Type: multipart/form-data; boundary=countersign-boundary',
    );
    expect(typed('application/json').notes).toEqual([
      "Its Content-Type 'application/json' is none of a form: multipart/form-data stands in its place.",
    ]);
  });
});

describe('files within texts', () => {
  const copied = (path: string): string =>
    `Its body holds the file '${path}', which was not imported: copy it beside the request.`;

  it('are a variable each, and no file to be copied', () => {
    expect(read(['--data-binary', 'a=1', '--data-binary', '@in/my list (1).txt', u])).toEqual([
      {
        sent: [`POST ${u}`, form],
        body: ['a=1&{{content_of_my_list_1_.txt}}'],
        notes: [
          "Its body has what 'my list (1).txt' holds in the middle: give {{content_of_my_list_1_.txt}} that value.",
        ],
      },
    ]);
  });

  it('leave what is said of other files', () => {
    const [{ notes } = { notes: [] as string[] }] = read([
      '-H',
      '@a.txt',
      '--data-binary',
      '@a.txt',
      '--data-binary',
      '@b.txt',
      u,
    ]);
    expect(notes).toEqual([
      "Its headers in the file 'a.txt' are not taken over.",
      "Its body has what 'a.txt' holds in the middle: give {{content_of_a.txt}} that value.",
      "Its body has what 'b.txt' holds in the middle: give {{content_of_b.txt}} that value.",
    ]);
  });

  it('are the body by themselves', () => {
    expect(read(['--data-binary', '@in/a.txt', u])[0]).toMatchObject({
      body: [{ file: './a.txt' }],
      notes: [copied('in/a.txt')],
    });
  });

  it('are said to be in the address where the data goes there', () => {
    expect(read(['-G', '-d', 'a=1', '--data-urlencode', 'b@list.txt', u])).toEqual([
      {
        sent: [`GET ${u}?a=1&b={{%content_of_list.txt}}`],
        body: null,
        notes: [
          "Its address has what 'list.txt' holds: give {{content_of_list.txt}} that value as it is; it is encoded where it leaves.",
        ],
      },
    ]);
  });

  it('quote of a long name no more than its beginning', () => {
    const name = 'x'.repeat(180);
    expect(read(['-d', 'a', '--data-binary', `@${name}`, u])[0]!.notes).toHaveLength(1);
    expect(
      read(['-d', 'a', '--data-binary', `@${'x'.repeat(5000)}`, u])[0]!.notes.join().length,
    ).toBeLessThan(6000);
  });
});

it.each(['--compressed', '--tr-encoding'])('says that %s is left out', (option) => {
  const [request] = readCurlArguments(['https://a.test/', option], null);
  expect(request!.notes).toEqual([
    `An answer that comes compressed is not unpacked here: ${option} is left out.`,
  ]);
  expect(request!.headers).toEqual([]);
});

it('sends no user of an address where the header is taken away, as curl does', () => {
  const [request] = read(['https://asha:x@a.example/pay', '-H', 'authorization:']);
  expect(request?.sent).toEqual([`GET ${u}`]);
  expect(request?.notes).toEqual([
    "The user name in its address is left out: curl sends none where `-H 'Authorization:'` stands.",
  ]);
  expect(read(['https://asha:x@a.example/pay', '-H', 'Accept:'])[0]?.sent).toEqual([
    'GET https://asha:x@a.example/pay',
  ]);
});

it('has the types that curl sends in its form, and says of its method that it is sent in capitals', () => {
  const { body, notes } = readCurlArguments(
    ['-X', 'post', '-F', 'f=@b.json', '-F', 'g=x;filename=y.json', u],
    null,
  )[0]!;
  expect(body?.parts.join('')).toMatch(/"b\.json"\r\nContent-Type: application\/octet-stream\r\n/);
  expect(body?.parts.join('')).toContain('"y.json"\r\n\r\nx');
  expect(notes).toContain("Its method is sent in capitals here, as POST; there it is 'post'.");
});
