import { describe, expect, it } from 'vitest';
import { importDocument } from '../import-document';
import type { ImportedItem, ImportedRequest } from '../imported';
import { readHar } from './read-har';

const entry = (method: string, url: string, more: object = {}) => ({
  request: { method, url, headers: [], ...more },
});
const read = (...entries: object[]) => {
  const text = JSON.stringify({ log: { version: '1.2', entries } });
  return importDocument({ name: 'a.har', files: [{ path: 'a.har', text }] }, 'har');
};

it('says where an archive does not hold the body of a request', () => {
  const { files, notes } = read(entry('POST', 'https://a.example/b', { bodySize: 512 }));
  expect(files.map(({ path }) => path)).toEqual(['POST b.http']);
  expect(notes).toEqual([{ where: 'POST b.http', what: 'The archive does not hold its body of 512 bytes.' }]);
});

it.each([
  [0, [['Content-Length', '439']], 'The archive does not hold its body of 439 bytes.'],
  [-1, [['content-length', '439']], 'The archive does not hold its body of 439 bytes.'],
  [-1, [['Content-Type', 'multipart/form-data; boundary=b']], 'The archive does not hold its body.'],
  [0, [['Content-Length', '0']], null],
  [0, [['Content-Type', 'application/json']], null],
  [-1, [['X-Length', '439']], null],
])('takes the length of a form with files from its headers: %s, %j', (bodySize, headers, what) => {
  const named = headers.map(([name, value]) => ({ name, value }));
  const { notes } = read(entry('POST', 'https://a.example/b', { bodySize, headers: named }));
  expect(notes.map((note) => note.what)).toEqual(what === null ? [] : [what]);
});

it('says of braces in an address, headers and a form that they are variables here; a text stays one', () => {
  const { files, notes } = read(
    entry('POST', 'https://a.example/{{id}}', {
      headers: [{ name: 'X-Key', value: '{{key}}' }],
      postData: { mimeType: 'application/json', text: '{"a":"{{b}}"}' },
    }),
    entry('POST', 'https://a.example/form', {
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        params: [{ name: 'a', value: '{{b}}' }],
      },
    }),
  );
  const [request, body] = files.map(({ content }) => content);
  expect(request).toMatch(/POST https:\/\/a\.example\/\{\{id\}\}[^]*X-Key: \{\{key\}\}/);
  expect(body).toBe('{"a":"{{b}}"}');
  expect(notes.map(({ what }) => what).filter((what) => what.includes('there;'))).toEqual([
    'Its address has {{id}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
    'Its headers have {{key}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
    'Its body has {{b}}, which is sent as it stands there; here it is a variable. To send it as it stands, put the body into a file beside the request and write `< ./file` in its place.',
  ]);
});

it('leaves the tunnel of a proxy out, and says so', () => {
  const { counts, notes } = read(
    entry('CONNECT', 'https://a.example:443'),
    entry('GET', 'https://a.example/b', { bodySize: 0 }),
  );
  expect(counts.requests).toBe(1);
  expect(notes.map(({ what }) => what)).toEqual([expect.stringMatching(/^Left out: It opens a tunnel/)]);
});

/** The requests as they are read, before they become files. */
const readRequests = (...entries: object[]): ImportedItem[] => {
  const text = JSON.stringify({ log: { version: '1.2', entries } });
  return readHar({ name: 'a.har', files: [{ path: 'a.har', text }] }).items;
};
const readOne = (more: object, answer: object = {}): ImportedRequest => {
  const [item] = readRequests({ ...entry('POST', 'https://a.example/b', more), ...answer });
  if (item?.kind !== 'request') throw new Error('No request was read.');
  return item;
};
const header = (name: string, value = 'v') => ({ name, value });

it('asks for no answer that could not be read: compressed ones are not unpacked', () => {
  const headers = [header('accept-encoding', 'gzip, deflate, br'), header('X-A')];
  const { files, notes } = read(entry('GET', 'https://a.example/b', { headers }));
  expect(files[0]!.content).toContain('X-A: v');
  expect(files[0]!.content).not.toMatch(/encoding/i);
  expect(notes[0]!.what).toMatch(/^Its header accept-encoding is left out/);
  const twice = read(
    entry('GET', 'https://a.example/b', { headers }),
    entry('GET', 'https://a.example/c', { headers }),
  );
  expect(twice.notes.map(({ what }) => what)).toEqual([`${notes[0]!.what} So it is in 1 more.`]);
  const plain = read(
    entry('GET', 'https://a.example/b', { headers: [header('Accept-Encoding', 'identity')] }),
  );
  expect(plain.files[0]!.content).toContain('Accept-Encoding: identity');
});

it('takes a WebSocket for none of ours', () => {
  const [socket, other] = readRequests(
    { ...entry('GET', 'https://a.example/live'), _resourceType: 'websocket' },
    { ...entry('GET', 'https://a.example/page'), _resourceType: 'xhr' },
  );
  expect(socket).toMatchObject({ kind: 'left out', why: expect.stringContaining('WebSocket') as string });
  expect(other).toMatchObject({ kind: 'request', method: 'GET', url: 'https://a.example/page' });
});

it('reads an archive of nothing, and one without a file', () => {
  expect(readRequests()).toEqual([]);
  expect(readHar({ name: 'a.har', files: [] }).items).toEqual([]);
});

it('leaves out the headers that a client adds by itself, and those alone', () => {
  const own = [
    'X-Host',
    'Hosts',
    'TE-X',
    'X-TE',
    'Upgrade-Insecure-Requests',
    'My-Connection',
    'Accept',
    'Content-Encoding',
  ];
  const others = [
    ':authority',
    ':path',
    'Host',
    'CONTENT-LENGTH',
    'Connection',
    'te',
    'Upgrade',
    'Keep-Alive',
  ];
  const { headers } = readOne({ headers: [...own, ...others].map((name) => header(name)) });
  expect(headers).toEqual(own.map((name) => [name, 'v']));
  expect(readOne({ headers: [{}, { name: 'A' }] }).headers).toEqual([
    ['', ''],
    ['A', ''],
  ]);
});

describe('an answer', () => {
  const answer = (more: object) => ({
    response: { status: 200, statusText: 'OK', headers: [], content: { text: '{}' }, ...more },
  });

  it('is kept where it is a text, without what hops said to each other', () => {
    const names = [
      'Content-Type',
      'Content-Encoding',
      'content-length',
      'X-Content-Encoding',
      'Content-Encoding-X',
      ':status',
    ];
    const { examples } = readOne({}, answer({ headers: names.map((name) => header(name)) }));
    expect(examples).toEqual([
      {
        name: '',
        request: null,
        httpStatus: 200,
        reason: 'OK',
        headers: [
          ['Content-Type', 'v'],
          ['X-Content-Encoding', 'v'],
          ['Content-Encoding-X', 'v'],
        ],
        body: '{}',
      },
    ]);
  });

  it.each([
    ['bytes', { content: { text: 'AAAA', encoding: 'base64' } }],
    ['nothing', { content: { text: '' } }],
    ['nothing that was saved', { content: {} }],
    ['of no status', { status: 0 }],
    ['of a status that is none', { status: 'x' }],
  ])('is left out where it is %s', (_what, more) => {
    expect(readOne({}, answer(more)).examples).toEqual([]);
  });

  it('is kept where the browser saved a text as Base64, and told of where it is none', () => {
    const saved = (text: string) => readOne({}, answer({ content: { text, encoding: 'base64' } }));
    expect(saved(btoa('{"b":1.20}'))).toMatchObject({ examples: [{ body: '{"b":1.20}' }], notes: [] });
    for (const text of ['AAAA', '//8=', 'no Base64!']) {
      expect(saved(text)).toMatchObject({
        examples: [],
        notes: ['Its answer is no text, and left out.'],
      });
    }
  });
});

describe('a body', () => {
  const body = (postData: object, more: object = {}): ImportedRequest => readOne({ ...more, postData });

  it('is the text that was saved, with its type', () => {
    const { body: read, headers } = body({ mimeType: 'text/x', text: 'a=b' });
    expect([read, headers]).toEqual([{ parts: ['a=b'], isVerbatim: true }, [['Content-Type', 'text/x']]]);
    expect(body({ mimeType: '', text: 'a' }).headers).toEqual([]);
    expect(body({ text: 'a' }).headers).toEqual([]);
  });

  it('is told to be missing only where it is', () => {
    const size = { bodySize: 512 };
    expect(body({ mimeType: 'text/x', text: 'é'.repeat(256) }, size).notes).toEqual([]);
    expect(body({ mimeType: 'text/x', text: '' }, size).notes).toHaveLength(1);
    expect(body({ mimeType: 'text/x', text: '!', encoding: 'base64' }, size).notes).toEqual([
      'Its body cannot be read as Base64, and is left out.',
    ]);
  });

  it('is told to be another than the one that left where its size says so', () => {
    const other = 'Its body had 512 bytes when it left, and has 2 in the archive: it may be cut, or no text.';
    expect(body({ mimeType: 'text/x', text: 'é' }, { bodySize: 512 }).notes).toEqual([other]);
    for (const bodySize of [2, 0, -1])
      expect(body({ mimeType: 'text/x', text: 'é' }, { bodySize }).notes).toEqual([]);
    // A form that was made up of its fields has no size that it should have.
    const params = [{ name: 'a', value: 'b' }];
    expect(body({ mimeType: 'multipart/form-data', params }, { bodySize: 512 }).notes).toEqual([]);
  });

  it('is plain where it left compressed, and says so; what is compressed in the archive stays so', () => {
    const headers = [{ name: 'content-encoding', value: 'gzip' }];
    const plain = body({ mimeType: 'text/x', text: 'a' }, { bodySize: 21, headers });
    expect(plain.headers.map(([name]) => name)).toEqual(['Content-Type']);
    expect(plain.notes).toEqual([
      'Its body left compressed, and is plain here: Content-Encoding is left out.',
    ]);
    const text = 'H4sIAAAAAAAAA0sEAEO+t+gBAAAA';
    const bytes = body({ mimeType: 'text/x', text, encoding: 'base64' }, { bodySize: 21, headers });
    expect(bytes.headers.map(([name]) => name)).toContain('content-encoding');
    expect(bytes.notes).toEqual([]);
  });

  it('is told to be missing beside an answer that is no text', () => {
    const content = { text: 'AAAA', encoding: 'base64' };
    const { notes } = readOne({ bodySize: 512 }, { response: { status: 200, content } });
    expect(notes).toEqual([
      'The archive does not hold its body of 512 bytes.',
      'Its answer is no text, and left out.',
    ]);
  });

  it('is read from Base64, as text where it is one', () => {
    const encode = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');
    const read = (text: string) => body({ mimeType: 'x/y', text, encoding: 'base64' }).body;
    expect(read(encode([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ parts: ['\ufeffa'], isVerbatim: true });
    expect(read(' Y W\n\nI = ')).toEqual({ parts: ['ab'], isVerbatim: true });
    expect(read(encode([0xff, 0x00]))).toEqual({ parts: [], bytes: new Uint8Array([0xff, 0x00]) });
    for (const wrong of ['!YWI=', 'YWI=!', 'YW-_', '='])
      expect([wrong, read(wrong)?.parts ?? []]).toEqual([wrong, []]);
    expect(read('')).toBeNull();
    expect(body({ _base64: 'YWI=', text: 'other' }).body).toEqual({ parts: ['ab'], isVerbatim: true });
    expect(body({ text: 'YWI=', encoding: 'utf8' }).body).toEqual({ parts: ['YWI='], isVerbatim: true });
  });

  it('is made of its parameters where its text was not saved', () => {
    const form = 'application/x-www-form-urlencoded';
    const params = [header('a', '1 2'), { name: 'b' }];
    const read = body({ mimeType: form, params });
    expect([read.body, read.headers]).toEqual([{ parts: ['a=1%202&b='] }, [['Content-Type', form]]]);
    expect(body({ mimeType: 'x/multipart/', params }).body).toEqual({ parts: ['a=1%202&b='] });
    expect(body({ params }).body).toEqual({ parts: ['a=1%202&b='] });
    expect([body({ mimeType: form, params: [] }).body, body({ mimeType: form }).body]).toEqual([null, null]);
  });

  it('is made of its parts, files among them, with a boundary of its own', () => {
    const params = [
      header('a', '1'),
      { name: 'f', fileName: 'C:\\x\\a.pdf', contentType: 'application/pdf' },
      { name: 't', value: '2', contentType: 'text/y' },
    ];
    const headers = [header('CONTENT-TYPE', 'multipart/form-data; boundary=gone'), header('X')];
    const read = body({ mimeType: 'multipart/form-data; boundary=gone', params }, { headers });
    expect(read.headers).toEqual([
      ['X', 'v'],
      ['Content-Type', 'multipart/form-data; boundary=countersign-boundary'],
    ]);
    expect(read.notes).toEqual([expect.stringContaining("holds the file 'C:\\x\\a.pdf'")]);
    const [before, file, behind] = read.body!.parts;
    expect(before).toContain('name="a"\r\n\r\n1\r\n');
    expect(before).toContain('filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n');
    expect(file).toEqual({ file: './a.pdf' });
    expect(behind).toContain('name="t"\r\nContent-Type: text/y\r\n\r\n2\r\n');
  });

  it('has the text of a file where the archive has it', () => {
    const params = [{ name: 'f', fileName: '/x/a.txt', contentType: 'text/plain', value: 'hi' }];
    const { body: form, notes } = body({ mimeType: 'multipart/form-data', params });
    expect(notes).toEqual([]);
    expect(form!.parts).toEqual([
      expect.stringContaining('name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n'),
    ]);
  });
});

it('says which listed parameters an address does not have, however they are written, and sends listed cookies', () => {
  const pairs = [
    { name: 'a', value: '1' },
    { name: 'b c', value: '2' },
    { name: 'd%20e', value: '3' },
    { name: 'f', value: '4' },
  ];
  const url = 'https://a.example/b?a=1&b+c=2&d%20e=3';
  const { notes, files } = read(
    entry('GET', url, { queryString: pairs, cookies: [] }),
    entry('GET', 'https://a.example/c', { cookies: [pairs[0], pairs[3]] }),
    entry('GET', 'https://a.example/d', { cookies: pairs, headers: [{ name: 'cookie', value: 'g=5' }] }),
  );
  expect(notes.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'GET b.http: Its query parameter f is not in its address, and left out.',
  ]);
  const cookies = files.map(({ content }) => /^cookie: .*$/im.exec(String(content))?.[0]);
  expect(cookies).toEqual([undefined, 'Cookie: {{cookie}}', 'cookie: {{cookie_secret_2}}']);
});
