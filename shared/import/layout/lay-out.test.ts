import { describe, expect, it } from 'vitest';
import { isExamplePath } from '../../http-file/example-file';
import { createCredentialBook } from '../credentials';
import {
  createImported,
  createRequest,
  type Imported,
  type ImportedFolder,
  type ImportedItem,
  type ImportedRequest,
} from '../imported';
import { layOut } from './lay-out';

const request = (name: string, given: Partial<ImportedRequest> = {}): ImportedRequest =>
  createRequest({ name, method: 'GET', url: 'https://a.example/pay', ...given });
const folder = (name: string, ...items: ImportedItem[]): ImportedFolder => ({
  kind: 'folder',
  name,
  items,
  notes: [],
});
const plan = (items: ImportedItem[], given: Partial<Imported> = {}, taken: string[] = []) =>
  layOut({ ...createImported('Team'), items, ...given }, createCredentialBook(), taken);
const pathsOf = ({ files }: ReturnType<typeof plan>) => files.map(({ path }) => path);
const notesOf = ({ notes }: ReturnType<typeof plan>) => notes.map(({ where, what }) => `${where}: ${what}`);
const answer = (name: string, given: object = {}) => ({
  name,
  request: null,
  httpStatus: 200,
  reason: 'OK',
  headers: [],
  body: '',
  ...given,
});

it('binds credentials to the address of a variable that holds a host alone', () => {
  const shared = [
    { name: 'host', value: 'api.example', isSecret: false },
    { name: 'api_key', value: 'k-12345', isSecret: false },
  ];
  const made = plan([request('Pay', { url: '{{host}}/pay' })], { shared });
  expect(made.files[0]!.content).toContain('GET http://{{host}}/pay');
  expect(made.sealed).toMatchObject([{ baseUrl: 'http://api.example', secrets: [{ name: 'api_key' }] }]);
});

describe('folders and names', () => {
  it('stand as they stood, in their order, and are counted', () => {
    const made = plan([folder('B', request('Pay'), folder('C', request('Ask'))), request('A')]);
    expect(pathsOf(made)).toEqual(['B/Pay.http', 'B/C/Ask.http', 'A.http']);
    expect(made.order).toEqual(['B', 'B/Pay.http', 'B/C', 'B/C/Ask.http', 'A.http']);
    expect(made.counts).toEqual({ requests: 3, folders: 2, environments: 0 });
    expect(made).toMatchObject({ name: 'Team', document: null, environments: [], sealed: [], notes: [] });
  });

  it('without a request are left out, with a note', () => {
    const made = plan([folder('A', folder('B')), request('Pay'), folder('', folder('C', request('x')))]);
    expect(made.order).toEqual(['Pay.http', 'Folder', 'Folder/C', 'Folder/C/x.http']);
    expect(made.counts.folders).toBe(2);
    expect(notesOf(made)).toEqual([
      'A/B: Left out: the folder holds no request.',
      'A: Left out: the folder holds no request.',
    ]);
  });

  it('that other files have already, or that a collection keeps for itself, are passed over', () => {
    const items = ['Pay', 'collection.json', 'http-client.env.json', 'HTTP-client.private.env.json'].map(
      (name) => folder(name, request('Pay')),
    );
    const made = plan([request('Pay'), ...items, folder('New', request('Pay'))], {}, [
      'Pay.http',
      'Pay',
      'new/old.http',
      'New/pay.http',
      'Deep/New/Pay 2.http',
    ]);
    expect(pathsOf(made)).toEqual([
      'Pay 2.http',
      'Pay 2/Pay.http',
      'collection.json 2/Pay.http',
      'http-client.env.json 2/Pay.http',
      'HTTP-client.private.env.json 2/Pay.http',
      'New/Pay 2.http',
    ]);
  });

  it('are told apart where two requests have the same', () => {
    const made = plan([request('Pay: now'), request('Pay: now'), request('pay- now')]);
    expect(pathsOf(made)).toEqual(['Pay- now.http', 'Pay- now 2.http', 'pay- now 3.http']);
    expect(made.files.map(({ content }) => /@name (.*)/.exec(String(content))?.[1])).toEqual([
      'Pay: now',
      'Pay: now 2',
      'pay- now 3',
    ]);
  });

  it('are made of the address where there is none, else are “Request”', () => {
    expect(pathsOf(plan([request(' ', { url: 'https://a.example/pay/1' }), request('..')]))).toEqual([
      'GET pay-1.http',
      'Request.http',
    ]);
  });

  it('make no saved answer of a request, whatever it is called', () => {
    const names = ['Shop.example', 'shop.EXAMPLE', 'my.example.pay', 'example'];
    const made = plan(names.map((name) => request(name)));
    expect(pathsOf(made)).toEqual([
      'Shop example.http',
      'shop EXAMPLE 2.http',
      'my.example.pay.http',
      'example.http',
    ]);
    expect(pathsOf(made).filter(isExamplePath)).toEqual([]);
    expect(made.files[0]!.content).toContain('# @name Shop.example\n');
  });

  it('thirty deep stand there, and deeper ones are refused', () => {
    const nest = (levels: number): ImportedItem =>
      levels === 0 ? request('Pay') : folder('f', nest(levels - 1));
    expect(plan([nest(30)]).counts.folders).toBe(30);
    expect(() => plan([nest(31)])).toThrow(
      expect.objectContaining({
        code: 'import.too_deep',
        message: expect.stringContaining('30 levels') as string,
      }),
    );
  });
});

describe('what is left out', () => {
  it('is told where it stood, and why, each once', () => {
    const made = plan([
      folder(
        'A',
        { kind: 'left out', name: 'Socket', why: 'It is no request.' },
        request('Ftp', { url: 'ftp://a.example' }),
        request('', { method: 'put', url: 'ftp://a.example/x' }),
        request('Pay', { notes: ['One.', 'One.', 'Two.'] }),
      ),
    ]);
    expect(pathsOf(made)).toContain('A/Pay.http');
    expect(notesOf(made)).toEqual(
      expect.arrayContaining([
        'A/Socket: Left out: It is no request.',
        'A/Ftp: Left out: Its address begins with ftp:, and Countersign sends HTTP.',
        'A/PUT /x: Left out: Its address begins with ftp:, and Countersign sends HTTP.',
        'A/Pay.http: One.',
        'A/Pay.http: Two.',
      ]),
    );
    expect(notesOf(made).filter((one) => one === 'A/Pay.http: One.')).toHaveLength(1);
  });

  it('is a request that no file can say', () => {
    const made = plan([request('Pay'), request('Odd', { variables: [['a b', '1']] })]);
    expect(pathsOf(made)).toEqual(['Pay.http']);
    expect(made.order).toEqual(['Pay.http']);
    expect(made.counts.requests).toBe(1);
    expect(notesOf(made)).toEqual([
      'Odd: Left out: its address, headers or body cannot be written in a request file.',
    ]);
  });

  it('is everything where nothing is a request: that is refused, with the first note', () => {
    expect(() => plan([])).toThrow(
      expect.objectContaining({
        code: 'import.nothing_found',
        message: 'There is nothing to import in it: no request that can be sent.',
      }),
    );
    expect(() => plan([request('Ftp', { url: 'ftp://a.example' }), request('x', { url: '' })])).toThrow(
      'no request that can be sent. Ftp: Left out: Its address begins with ftp:, and Countersign sends HTTP.',
    );
    const shared = [{ name: 'page', value: '1', isSecret: false }];
    expect(plan([], { shared }).counts).toEqual({ requests: 0, folders: 0, environments: 1 });
    expect(plan([], { environments: [{ name: 'E', variables: shared }] }).counts.environments).toBe(1);
  });

  it('is an environment of values alone, which nothing could be sent to', () => {
    const shared = [{ name: 'page', value: '1', isSecret: false }];
    const open = plan([request('A', { url: '{{host}}/{{page}}' })], { shared });
    expect(open.environments).toEqual([{ name: '$shared', variables: { page: '1' } }]);
    const told = plan([request('A', { url: 'https://a.example/{{page}}' })], { shared });
    expect(told.environments.map(({ variables }) => variables)).toContainEqual({
      base_url: 'https://a.example',
    });
  });
});

describe('files of bodies', () => {
  it('stand beside their request, and belong to what is looked through for variables', () => {
    const body = { parts: ['a\n### {"client_secret":"s-1"}\n'] };
    const { files, order, sealed } = plan([folder('A', request('Pay', { method: 'POST', body }))]);
    expect(files.map(({ path }) => path)).toEqual(['A/Pay.http', 'A/Pay.body.txt']);
    expect(files[1]!.content).toBe('a\n### {"client_secret":"{{client_secret}}"}\n');
    expect(order).toEqual(['A', 'A/Pay.http']);
    expect(sealed).toEqual([
      {
        environment: 'a.example',
        baseUrl: 'https://a.example',
        variables: {},
        secrets: [{ name: 'client_secret', value: 's-1' }],
      },
    ]);
  });

  it('of bytes are kept as they are', () => {
    const bytes = Uint8Array.of(0, 255, 128);
    const made = plan([request('Pay', { method: 'POST', body: { parts: [], bytes } })]);
    expect(made.files[1]).toEqual({ path: 'Pay.body.bin', content: bytes });
  });

  it('are refused where all of them come to more than a disk may have', () => {
    const body = { parts: [], bytes: new Uint8Array(48 * 1024 * 1024 - 1000) };
    const one = (name: string) => request(name, { method: 'POST', body });
    expect(plan([one('a'), one('b')]).files).toHaveLength(4);
    expect(() => plan([one('a'), one('b'), one('c')])).toThrow(
      expect.objectContaining({
        code: 'import.too_large',
        message: expect.stringContaining('than 96 MiB.') as string,
      }),
    );
  });
});

describe('notes', () => {
  it('say once what has another name here, of how many requests', () => {
    const guid = new Map([['{{$guid}}', '{{$uuid}}']]);
    const made = plan(
      [
        request('a', { renames: guid }),
        request('b', { renames: new Map(guid).set('{{ 2 }}', '{{_2}}').set('{{ p }}', '{{p}}') }),
      ],
      {
        renames: new Map(guid).set('{{vault:x}}', '{{vault.x}}'),
      },
    );
    expect(notesOf(made)).toEqual([
      'Team: {{$guid}} is written {{$uuid}} here in 2 requests.',
      'b.http: {{ 2 }} is written {{_2}} here.',
      'b.http: {{ p }} is written {{p}} here: there, blanks within its braces belong to its name.',
      'Team: {{vault:x}} is written {{vault.x}} here.',
    ]);
    const nameless = plan(
      [request('a'), request('b')].map((one) => ({ ...one, renames: guid })),
      { name: null },
    );
    expect(notesOf(nameless)).toEqual(['All of it: {{$guid}} is written {{$uuid}} here in 2 requests.']);
  });

  it('say what of a request is not done here, and what others would run', () => {
    const made = plan([
      request('a', { url: 'https://a.example/{{$randomFirstName}}' }),
      request('b', { url: 'https://a.example/{{a + 1}}' }),
      request('c', { url: 'https://a.example/{{a}}' }),
    ]);
    expect(made.notes.map(({ where }) => where)).toEqual(['a.http', 'b.http']);
    expect(notesOf(made)[0]).toContain('$randomFirstName');
    expect(notesOf(made)[1]).toContain('httpYac runs it as JavaScript');
  });

  it('say of braces that were text that they are variables here', () => {
    const items = [
      request('a', { url: 'https://a.example/{{id}}', method: 'POST', body: { parts: ['a\n### {{x}}'] } }),
    ];
    const told = (given: Partial<Imported>) =>
      notesOf(plan(items, given)).filter((one) => one.includes('here it is a variable'));
    expect(told({ isText: () => true })).toEqual([
      'a.http: Its address has {{id}}, which is sent as it stands there; here it is a variable. Give it a value in Environments.',
    ]);
    items[0] = request('a', { method: 'POST', body: { parts: ['{"a":"{{x}}"}'] } });
    expect(told({ isText: () => true })).toEqual([expect.stringContaining('a.http: Its body has {{x}}')]);
    expect(told({ isText: () => false })).toEqual([]);
    expect(told({})).toEqual([]);
  });

  it('that there are already come first', () => {
    const notes = [{ where: 'Team', what: 'First.' }];
    expect(notesOf(plan([request('Pay', { notes: ['Second.'] })], { notes }))).toEqual([
      'Team: First.',
      'Pay.http: Second.',
    ]);
    expect(notes).toHaveLength(1);
  });
});

it('knows a payment of the service by what the document says of its variables, the first environment before others', () => {
  const variable = (name: string, value: string) => ({ name, value, isSecret: false });
  const headers: [string, string][] = [['X-Custom-Signature', '{{sig}}']];
  const pay = request('Pay', { method: 'POST', url: '{{base_url}}/payments/{{_2v}}/payouts', headers });
  const signatureOf = (...values: [shared: string | null, ...environments: string[]]) => {
    const [first, ...others] = values;
    const shared = first === null ? [] : [variable('2v', first)];
    const environments = others.map((value) => ({ name: value, variables: [variable('2v', value)] }));
    const [file] = plan([pay], { shared, environments }).files;
    return /X-Custom-Signature: (.*)/.exec(String(file!.content))?.[1];
  };
  expect(signatureOf(null)).toBe('{{sig}}');
  expect(signatureOf('v1')).toBe('{{signature}}');
  expect(signatureOf('v1', 'v2')).toBe('{{signature}}');
  expect(signatureOf(null, 'v1', 'v2')).toBe('{{signature}}');
  expect(signatureOf(null, 'v2', 'v1')).toBe('{{sig}}');
});

describe('saved answers', () => {
  it('stand beside their request, each with a name that is free', () => {
    const examples = [
      answer('Works: fine'),
      answer('Works- fine', { httpStatus: 201, reason: '' }),
      answer(' ', { httpStatus: 404, reason: 'Not Found' }),
      answer('', { httpStatus: 500, reason: '' }),
      answer('..', { httpStatus: 503 }),
    ];
    const made = plan([folder('A', request('Pay', { examples }))]);
    expect(pathsOf(made)).toEqual([
      'A/Pay.http',
      'A/Pay.Works- fine.example.http',
      'A/Pay.Works- fine 2.example.http',
      'A/Pay.404 Not Found.example.http',
      'A/Pay.500.example.http',
      'A/Pay.503.example.http',
    ]);
    expect(made.order).toEqual(['A', 'A/Pay.http']);
    expect(made.notes).toEqual([]);
  });

  it('of a request that has “example” in its name are called after all of it', () => {
    const made = plan([request('my.example.pay', { examples: [answer('ok')] })]);
    expect(pathsOf(made)).toEqual(['my.example.pay.http', 'my.example.pay.ok.example.http']);
  });

  it('have masked what any request or variable of the import proves itself with, and nothing else', () => {
    const body = 'request-key variable-key plain-value secret-value {{vault.x}}-key';
    const made = plan(
      [
        request('Pay', { examples: [answer('a', { body })] }),
        request('Ask', { headers: [['X-Api-Key', 'request-key']] }),
      ],
      {
        shared: [{ name: 'client_secret', value: 'variable-key', isSecret: false }],
        environments: [
          {
            name: 'E',
            variables: [
              { name: 'plain', value: 'plain-value', isSecret: false },
              { name: 'other', value: 'secret-value', isSecret: true },
              { name: 'token', value: '{{vault.x}}-key', isSecret: false },
            ],
          },
        ],
      },
    );
    const { content } = made.files.find(({ path }) => path.includes('.example.'))!;
    const dots = '•'.repeat(8);
    expect(String(content).split('\n').at(-1)).toBe(`${dots} ${dots} plain-value ${dots} {{vault.x}}-key`);
  });

  it('that nobody can look through for secrets in time are left out', () => {
    const value = `b${'a'.repeat(1_000_000)}`;
    const examples = [answer('short', { body: 'a' }), answer('long', { body: 'a'.repeat(300) })];
    const made = plan([request('Pay', { examples })], {
      shared: [{ name: 'client_secret', value, isSecret: true }],
    });
    expect(pathsOf(made)).toEqual(['Pay.http', 'Pay.short.example.http']);
    expect(notesOf(made).slice(0, 1)).toEqual([
      "Pay.http: Its example 'long' is left out: it is too much to look through for secrets.",
    ]);
  });

  it('in which other clients would run a line are left out, with a note that names them', () => {
    const body = 'a\n{{\nrun()\n}}\n';
    const examples = [
      answer('Acts', { body }),
      answer('', { body, httpStatus: 201, reason: '' }),
      answer('ok'),
    ];
    const made = plan([folder('A', request('Pay', { examples }))]);
    expect(pathsOf(made)).toEqual(['A/Pay.http', 'A/Pay.ok.example.http']);
    expect(notesOf(made)).toEqual([
      "A/Pay.http: Its example 'Acts' is left out: other clients would run lines of it.",
      "A/Pay.http: Its example '201' is left out: other clients would run lines of it.",
    ]);
  });
});

describe('of more than a collection holds', () => {
  const leftOut = (count: number): ImportedItem[] =>
    Array.from({ length: count }, (_, at) => ({ kind: 'left out', name: `x${at}`, why: 'It is none.' }));
  const answers = (count: number) => Array.from({ length: count }, () => answer('ok'));
  const bytes = Uint8Array.of(0);

  it('nothing is taken where it is requests and folders', () => {
    expect(plan([request('Pay'), ...leftOut(19_999)]).counts.requests).toBe(1);
    expect(() => plan([request('Pay'), ...leftOut(20_000)])).toThrow(
      expect.objectContaining({ code: 'import.too_many' }),
    );
  });

  it('answers are left out, and told', () => {
    const body = { parts: [], bytes };
    const made = (count: number) =>
      plan([request('Pay', { body, examples: answers(count) }), ...leftOut(19_999)]);
    expect(notesOf(made(7999)).slice(-1)[0]).toContain('x19998: ');
    const more = made(8001);
    expect(more.files).toHaveLength(8001);
    expect(notesOf(more).at(-1)).toBe(
      'Team: 2 of its 8001 saved answers are left out: an import comes to at most 28000 files and folders.',
    );
  });

  it('nothing is taken where it is files of bodies', () => {
    const body = { parts: [], bytes };
    const bodies = Array.from({ length: 8001 }, (_, at) => request(`r${at}`, { body }));
    expect(() => plan([...bodies, ...leftOut(11_999)])).toThrow(
      'It holds more than 28000 requests, folders and files of bodies.',
    );
  });
});

it('hides a credential in the names of requests, folders and examples, too, and in variables of any name', () => {
  const secret = 'sk9Live7Token5Abc';
  const requests = ['', `https://h7.example/x?api_key=${secret}`].map((name) =>
    request(name, { url: `https://h7.example/${secret}`, examples: [answer(`${secret} ok`)] }),
  );
  const token = request('token', {
    url: 'https://h7.example/t',
    headers: [['Authorization', `Bearer ${secret}`]],
  });
  const shared = [
    { name: 'plain', value: `a-${secret}`, isSecret: false },
    { name: 'site', value: 'https://h7.example', isSecret: true },
    { name: 'mine', value: 'Own7Secret9Value', isSecret: true },
  ];
  const second = request('second', { url: 'https://h7.example/Own7Secret9Value' });
  const made = plan([folder(`of ${secret}`, ...requests), token, second], { shared });
  expect(JSON.stringify([made.files, made.environments, made.order])).not.toMatch(/sk9Live|Own7Secret/);
  expect(made.order).toContain('of bearer_token/GET bearer_token.http');
  expect(made.environments[0]!.variables['plain']).toBe('a-{{bearer_token}}');
  expect(made.files.find(({ path }) => path === 'token.http')!.content).toContain('https://h7.example/t');
});
