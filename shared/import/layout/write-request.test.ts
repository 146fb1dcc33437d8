import { describe, expect, it } from 'vitest';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { createRequest, type ImportedBody, type ImportedRequest } from '../imported';
import { writeRequest } from './write-request';

const of = (given: Partial<ImportedRequest>) =>
  createRequest({ name: 'Pay', method: 'POST', url: 'https://a.example/pay', ...given });
const write = (given: Partial<ImportedRequest>) => writeRequest(of(given), 'Pay');
const json: [string, string][] = [['Content-Type', 'application/json']];
const head = '# @name Pay\nPOST https://a.example/pay\n';
const kept = 'Its body stands in a file beside it, so that every byte is kept.';

describe('a request in a file', () => {
  it('has its description, its variables, its headers and its body, one after the other', () => {
    expect(
      write({
        description: '\n \nFirst.\r\n\r\n  @name x \rLast @end.\u2028End.\n',
        variables: [
          ['id', '7'],
          ['none', ''],
        ],
        headers: json,
        body: { parts: ['{"a":', '1.00}'] },
      }),
    ).toEqual({
      text: [
        '# First.',
        '#',
        '#   (@name x',
        '# Last @end.',
        '# End.',
        '@id = 7',
        '@none =',
        '# @name Pay',
        'POST https://a.example/pay',
        'Content-Type: application/json',
        '',
        '{"a":1.00}',
        '',
      ].join('\n'),
      bodyFile: null,
      notes: [],
    });
  });

  it('has nothing of what it has not', () => {
    for (const body of [null, { parts: [] }])
      expect(write({ description: ' \n', body })).toEqual({ text: head, bodyFile: null, notes: [] });
  });

  it('has its description with the blanks before each line, which Markdown and code go by', () => {
    const description = '    first()\n- a\n    - b\n\tcode()\n';
    expect(write({ description })!.text).toBe('#     first()\n# - a\n#     - b\n# \tcode()\n' + head);
  });

  it('has the beginning of a description without end', () => {
    const description = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n');
    const comments = write({ description })!
      .text.split('\n')
      .filter((line) => line.startsWith('# line'));
    expect([comments.length, comments.at(-1)]).toEqual([200, '# line 199']);
  });

  it('cannot have an address, a header or a variable of several lines', () => {
    for (const given of [
      { url: 'https://a.example\nX-A: 1' },
      { url: 'https://a.example HTTP/1.1' },
      { method: 'GET\nPOST' },
      { method: ' GET' },
      { headers: [['X A', '1']], body: { parts: ['a\n### b'] } },
      { headers: [['X-A', '1\nX-B: 2']] },
      { headers: [['X A', '1']] },
      { variables: [['a', '1\n@b = 2']] },
      { variables: [['a b', '1']] },
    ] as Partial<ImportedRequest>[])
      expect(write(given), JSON.stringify(given)).toBeNull();
  });
});

describe('the body of a request', () => {
  /** As the parts of the file say it, with `{{empty}}` filled in. */
  const readBody = (text: string): string | null => {
    const [block] = parseHttpFile(text).requests;
    return block!.body!.replaceAll('{{empty}}', '');
  };

  it.each(['a', 'a\nb', ' a ', '{{x}}', '{"a":"\u2028"}', '< b', 'a\n\n\nb'])(
    'stands in the file: %j',
    (raw) => {
      const { text, bodyFile } = write({ body: { parts: [raw] } })!;
      expect(bodyFile).toBeNull();
      expect(readBody(text)).toBe(raw);
      expect(text.includes('{{empty}}')).toBe(raw === '< b' && text.includes('{{empty}}'));
    },
  );

  it.each(['a\n', '\na', '\n', '\n\na\n\n', 'a\r\nb\r\n'])('keeps line ends at its own ends: %j', (raw) => {
    const written = write({ body: { parts: [raw] } })!;
    if (written.bodyFile === null) {
      expect(written.text).toMatch(/^@empty =$/m);
      expect(readBody(written.text)!.replaceAll('\r\n', '\n')).toBe(raw.replaceAll('\r\n', '\n'));
    } else expect(written.bodyFile.content).toBe(raw);
  });

  it('keeps one line end with one more character that is none, at the end where it stands', () => {
    expect(write({ body: { parts: ['a\n'] } })!.text).toBe(
      '@empty =\n# @name Pay\nPOST https://a.example/pay\n\na\n{{empty}}\n',
    );
    expect(write({ body: { parts: ['\na'] } })!.text).toContain('\n\n{{empty}}\na\n');
    expect(write({ body: { parts: ['\na\n'] } })!.text).toContain('\n\n{{empty}}\na\n{{empty}}\n');
    const own = write({ body: { parts: ['a {{empty}}\n'] } })!;
    expect([own.text.includes('@empty'), own.bodyFile?.content]).toEqual([false, 'a {{empty}}\n']);
  });

  it.each([
    ['a\n### b', json, 'json'],
    ['a\n### b', [['content-type', 'APPLICATION/problem+JSON']], 'json'],
    ['a\n### b', [['Content-Type', 'application/soap+xml']], 'xml'],
    ['a\n### b', [['Content-Type', 'text/plain']], 'txt'],
    ['a\n### b', [['Content-Type', 'application/x-www-form-urlencoded']], 'txt'],
    ['a\n### b', [['Content-Type', 'application/graphql']], 'txt'],
    ['a\n### b', [['Content-Type', 'x/text/']], 'txt'],
    ['a\n### b', [['X-Type', 'application/json']], 'txt'],
    ['a\n### b', [], 'txt'],
    [new Uint8Array([0, 255]), [['Content-Type', 'x/text/']], 'bin'],
    [new Uint8Array([0, 255]), [], 'bin'],
    [new Uint8Array([0, 255]), [...json, ['Content-Type', 'text/xml']], 'xml'],
  ] as [string | Uint8Array, [string, string][], string][])(
    'that no line of a file can be stands in a file beside it: %j %j .%s',
    (raw, headers, extension) => {
      const body: ImportedBody = typeof raw === 'string' ? { parts: [raw] } : { parts: [], bytes: raw };
      const { text, bodyFile, notes } = write({ headers, body })!;
      expect(text.endsWith(`\n\n< ./Pay.body.${extension}\n`)).toBe(true);
      expect(bodyFile).toEqual({ name: `Pay.body.${extension}`, content: raw });
      expect(notes).toEqual([kept]);
    },
  );

  it('says of variables in such a file that they are not filled in, where they are variables', () => {
    const notes = (body: ImportedBody) => write({ body })!.notes;
    expect(notes({ parts: ['a\n### {{a}}'] })).toEqual([kept, 'Variables in that file are not filled in.']);
    expect(notes({ parts: ['a\n### {{a}}'], isVerbatim: true })).toEqual([kept]);
    expect(notes({ parts: [], bytes: new TextEncoder().encode('{{a}}') })).toEqual([kept]);
  });

  it('that other clients would act on stands in a file beside it', () => {
    for (const line of ['# @disabled', '{{', '@a := 1'])
      expect(write({ body: { parts: [`a\n${line}\nb`] } })!.bodyFile?.content).toBe(`a\n${line}\nb`);
    expect(write({ body: { parts: ['a\n# disabled\nb'] } })!.bodyFile).toBeNull();
  });

  it('has the variables of its file in their place, one that is called like ours, too', () => {
    const variables: [string, string][] = [['id', '7']];
    expect(write({ variables, body: { parts: ['{"a":{{id}}}'] } })!.text.endsWith('\n\n{"a":{{id}}}\n')).toBe(
      true,
    );
    expect(
      write({ variables, body: { parts: ['{{id}}\n'] } })!.text.endsWith('\n\n{{id}}\n{{empty}}\n'),
    ).toBe(true);
  });

  it.each([
    { variables: [['empty', 'x']] },
    { variables: [['a', '{{empty}}']] },
    { url: 'https://a.example/{{ empty }}' },
    { headers: [['X-A', '{{empty }}']] },
    { offHeaders: [{ at: 0, name: 'X-A', value: '{{empty}}' }] },
    { offParameters: [{ at: 0, name: 'a', value: '{{empty}}' }] },
    { body: { parts: ['{{ empty }}\n'] } },
  ] as Partial<ImportedRequest>[])(
    'goes into a file where {{empty}} means something already: %j',
    (given) => {
      const { text, bodyFile } = write({ body: { parts: ['a\n'] }, ...given })!;
      expect(text).not.toContain('@empty =\n');
      expect(bodyFile?.content).toBe(given.body?.parts[0] ?? 'a\n');
    },
  );

  it('whose braces are text stands in a file, and in the request without them', () => {
    expect(write({ body: { parts: ['{{a}}'], isVerbatim: true } })!.bodyFile?.content).toBe('{{a}}');
    expect(write({ body: { parts: ['{a}'], isVerbatim: true } })!.bodyFile).toBeNull();
    expect(
      write({ url: 'https://a.example/{{a}}', body: { parts: ['b'], isVerbatim: true } })!.bodyFile,
    ).toBeNull();
    const ended = write({ body: { parts: ['b\n'], isVerbatim: true } })!;
    expect([ended.bodyFile, ended.text.includes('{{empty}}')]).toEqual([null, true]);
  });

  it('of files stands there by their names, and each at its place', () => {
    const body: ImportedBody = { parts: [{ file: './a.bin' }] };
    expect(write({ body })).toEqual({ text: `${head}\n< ./a.bin\n`, bodyFile: null, notes: [] });
    const form = ['--x\r\n\r\n', { file: './a.bin' }, '\r\n--x\r\n\r\n', { file: './b.bin' }, '\r\n--x--'];
    const { text, notes } = write({
      headers: [['Content-Type', 'multipart/form-data; boundary=x']],
      body: { parts: form },
    })!;
    expect(text.replaceAll('\r', '').endsWith('\n\n--x\n\n< ./a.bin\n--x\n\n< ./b.bin\n--x--\n')).toBe(true);
    expect(notes).toEqual([]);
  });

  it.each<ImportedBody['parts'][]>([
    [[{ file: ' ./a' }]],
    [[{ file: './a\n' }]],
    [[{ file: './a\nb' }]],
    [[{ file: './a' }, { file: './b' }]],
    [['a', { file: './b' }]],
    [[{ file: './a' }, 'b']],
    [['a\n< ./b\n', { file: './b' }]],
  ])('of files is no other one: %j, which no line says, is left out', (parts) => {
    expect(write({ body: { parts } })).toBeNull();
  });

  it('of a form has CR and LF between its files, with a note where it had not', () => {
    const headers: [string, string][] = [['Content-Type', 'multipart/form-data; boundary=x']];
    const parts = ['--x\r\n\r\na\nb\r\n--x\r\n\r\n', { file: './a.bin' }, '\r\n--x--'];
    const { text, bodyFile, notes } = write({ headers, body: { parts } })!;
    expect([text.includes('< ./a.bin'), bodyFile, notes]).toEqual([
      true,
      null,
      ['Lines within its form end in CR and LF here.'],
    ]);
    const impossible = ['--x\r\n### a\r\n', { file: './a.bin' }, '\r\n--x--'];
    expect(write({ headers, body: { parts: impossible } })).toBeNull();
    expect(write({ headers, body: { parts: ['a\n### a\n', { file: './a.bin' }] } })).toBeNull();
  });
});

describe('what is off', () => {
  it('stands as comments where it stood', () => {
    const { text, notes } = write({
      url: 'https://a.example/pay?a=1&c=3',
      headers: [
        ['X-A', '1'],
        ['X-C', '3'],
      ],
      offParameters: [
        { at: 0, name: 'z', value: '0' },
        { at: 1, name: 'b', value: '2' },
        { at: 9, name: 'd', value: '4' },
      ],
      offHeaders: [
        { at: 0, name: 'X-Z', value: '0' },
        { at: 1, name: 'X-B', value: '2' },
        { at: 9, name: 'X-D', value: '4' },
      ],
    })!;
    expect(notes).toEqual([]);
    const order = [...text.matchAll(/\b(X-[A-Z])\b|[?&]?\b([a-d z])=/g)].map(
      ([, header, parameter]) => header ?? parameter,
    );
    expect(order.filter((one) => one!.startsWith('X'))).toEqual(['X-Z', 'X-A', 'X-B', 'X-C', 'X-D']);
    const [block] = parseHttpFile(text).requests;
    expect([block!.url, block!.headers.map(({ name }) => name)]).toEqual([
      'https://a.example/pay?a=1&c=3',
      ['X-A', 'X-C'],
    ]);
  });

  it('is left out with notes where no comment can say it, and the request is not', () => {
    const given = {
      headers: json,
      offHeaders: [{ at: 0, name: 'X-A', value: ' 1 ' }],
      offParameters: [{ at: 0, name: 'b', value: '2\n3' }],
    };
    const { text, notes } = write(given)!;
    expect(text).toBe(`${head}Content-Type: application/json\n`);
    expect(notes).toEqual([
      'Its header X-A is disabled, and left out.',
      'Its query parameter b is disabled, and left out.',
    ]);
    expect(write({ ...given, url: 'https://a\nX-A: 1' })).toBeNull();
    const named = write({ offHeaders: [{ at: 0, name: 'X-A ', value: '1' }] })!;
    expect([named.text, named.notes]).toEqual([head, ['Its header X-A  is disabled, and left out.']]);
  });
});
