import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { createImported, type Imported, type ImportedVariable } from '../imported';
import { planEnvironments, refuseManyVariables } from './plan-environments';

const variable = (name: string, value: string, isSecret = false): ImportedVariable => ({
  name,
  value,
  isSecret,
});
const sent = (path: string, url: string, text = url) => ({ path, url, text });
const plan = (
  given: Partial<Imported>,
  requests: Parameters<typeof planEnvironments>[1] = [],
  credentials: Parameters<typeof planEnvironments>[2] = [],
) => planEnvironments({ ...createImported('Team'), ...given }, requests, credentials);
const environment = (name: string, ...variables: ImportedVariable[]) => ({ name, variables });
const base = variable('base_url', 'https://a.example');

describe('what a file may hold, and what it must not', () => {
  it.each([
    ['page', '2', false],
    ['page', '', false],
    ['token_hint', 'plain', false],
    ['api_key', 'k-1', true],
    ['line', 'Bearer abcd1234', true],
    ['line', 'sk_live_0123456789', true],
    ['address', 'https://a.example/?api_key=0123', true],
    ['address', 'https://ann:word@a.example/', true],
    ['body', '{"password":"pw-1"}', true],
    ['api_key', '{{vault.key}}', false],
    ['line', 'Bearer {{token.payout}}', false],
  ])('%s = %j', (name, value, isHidden) => {
    const { environments, sealed } = plan({ environments: [environment('E', base, variable(name, value))] });
    expect(environments[0]!.variables).toEqual({
      base_url: 'https://a.example',
      ...(isHidden ? {} : { [name]: value }),
    });
    expect(sealed.flatMap(({ secrets }) => secrets)).toEqual(isHidden ? [{ name, value }] : []);
  });

  it('goes by what the other tool calls a secret', () => {
    const { environments, sealed } = plan({
      environments: [environment('E', base, variable('plain', 'word', true), variable('none', '', true))],
    });
    expect(environments[0]!.variables).toEqual({ base_url: 'https://a.example' });
    expect(sealed).toEqual([
      {
        environment: 'E',
        baseUrl: 'https://a.example',
        variables: { base_url: 'https://a.example' },
        secrets: [{ name: 'plain', value: 'word' }],
      },
    ]);
  });

  it('leaves out what has no value there and is filled in by the app, or is a secret', () => {
    const names = [
      'token.payout',
      'signature',
      'last_reference',
      'api_key',
      'signature2',
      'my.signature',
      'page',
    ];
    const { environments } = plan({
      environments: [environment('E', base, ...names.map((name) => variable(name, '')))],
    });
    expect(Object.keys(environments[0]!.variables)).toEqual([
      'base_url',
      'signature2',
      'my.signature',
      'page',
    ]);
  });
});

describe('names', () => {
  it('of variables are written as ours are, with a note where they change', () => {
    const { environments, notes } = plan({
      environments: [environment('E', base, variable('2fa', 'on'), variable(' page ', '1'))],
    });
    expect(environments[0]!.variables).toEqual({ base_url: 'https://a.example', _2fa: 'on', page: '1' });
    expect(notes).toEqual([{ where: 'E', what: 'Its variable 2fa is called _2fa here.' }]);
  });

  it('of environments are safe, free and none of ours', () => {
    const names = ['Local', 'local', '$shared', '$$', '', '../x', 'US$ 1'];
    const { environments } = plan({ environments: names.map((name) => environment(name, base)) });
    expect(environments.map(({ name }) => name)).toEqual([
      'Local',
      'local 2',
      'shared',
      'environment',
      'environment 2',
      'x',
      'US$ 1',
    ]);
  });

  it('that stand for several values are told, each once; for one value they are not', () => {
    const { environments, notes } = plan({
      shared: [base, variable('a', '1'), variable('a', '1')],
      environments: [
        environment('E', variable('a', '2'), variable('b', '1'), variable(' b', '2'), variable('b', '3')),
        environment('F', variable('b', '1')),
      ],
    });
    expect(environments.map(({ variables }) => variables)).toEqual([
      { base_url: 'https://a.example', a: '1' },
      { a: '2', b: '3' },
      { b: '1' },
    ]);
    expect(notes).toEqual([
      { where: 'E', what: 'Its variable b stands there with several values: the last is taken.' },
    ]);
  });

  it('of shared variables are told of the collection, else of the import', () => {
    const shared = [base, variable('2', '1')];
    expect(plan({ shared }).notes.map(({ where }) => where)).toEqual(['Team']);
    const nameless = plan({ shared, name: null });
    expect(nameless.notes.map(({ where }) => where)).toEqual(['imported']);
    expect(nameless.environments.map(({ name }) => name)).toEqual(['$shared', 'imported']);
  });
});

it('refuses more variables than a file holds, those of all environments together', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => variable(`v${at}`, '1'));
  // Another's name counts as any value does: a stranger may write nothing else.
  const named = (count: number) => Array.from({ length: count }, (_, at) => variable(`w${at}`, '{{a}}'));
  const given = (last: number) => ({
    ...createImported('P'),
    shared: many(10_000),
    environments: [environment('E', ...named(9_000)), environment('F', ...many(last))],
  });
  expect(() => refuseManyVariables(given(1000))).not.toThrow();
  expect(() => refuseManyVariables(given(1001))).toThrow(
    expect.objectContaining({ code: 'import.too_many', message: expect.stringContaining('20000') as string }),
  );
});

describe('what all environments share', () => {
  it('stands by itself beside those that there are, and its secrets go to each of them', () => {
    const { environments, sealed, notes } = plan({
      shared: [variable('page', '1'), variable('api_key', 'k-1'), base],
      environments: [environment('E', variable('page', '2')), environment('F', variable('pin', '1234'))],
    });
    expect(environments).toEqual([
      { name: '$shared', variables: { page: '1', base_url: 'https://a.example' } },
      { name: 'E', variables: { page: '2' } },
      { name: 'F', variables: {} },
    ]);
    const variables = { page: '1', base_url: 'https://a.example' };
    const key = { name: 'api_key', value: 'k-1' };
    const baseUrl = 'https://a.example';
    expect(sealed).toEqual([
      { environment: 'E', baseUrl, variables: { ...variables, page: '2' }, secrets: [key] },
      { environment: 'F', baseUrl, variables, secrets: [key, { name: 'pin', value: '1234' }] },
    ]);
    expect(notes).toEqual([]);
  });

  it('keeps a secret of theirs from an environment with a value of its own, whatever that is', () => {
    const at = (name: string) => variable('base_url', `https://${name}.example`);
    const { sealed, notes } = plan({
      shared: [at('dev'), variable('api_key', 'k-1'), variable('pin', '1234')],
      environments: [
        environment('E', at('e'), variable('api_key', 'k-2')),
        environment('F', at('f'), variable('api_key', '{{KEY}}'), variable('pin', '')),
        environment('G', at('g'), variable(' api_key ', '')),
        { ...environment('H', at('h')), kept: ['api_key'] },
      ],
    });
    const secretsOf = sealed.map((one) => [one.environment, one.secrets.map(({ value }) => value)]);
    expect(secretsOf).toEqual([
      ['E', ['1234', 'k-2']],
      ['G', ['1234']],
      ['H', ['1234']],
    ]);
    expect(notes.filter(({ what }) => what.includes('dropped'))).toEqual([
      {
        where: 'Team',
        what: 'Its value of {{api_key}} is a credential, and dropped: each of its environments has a value of its own.',
      },
    ]);
  });

  it('makes one environment of the address where there is none', () => {
    const { environments, sealed } = plan({
      shared: [base, variable('page', '1'), variable('api_key', 'k-1')],
    });
    expect(environments).toEqual([
      { name: '$shared', variables: { page: '1' } },
      { name: 'Team', variables: { base_url: 'https://a.example' } },
    ]);
    expect(sealed).toEqual([
      {
        environment: 'Team',
        baseUrl: 'https://a.example',
        variables: { base_url: 'https://a.example', page: '1' },
        secrets: [{ name: 'api_key', value: 'k-1' }],
      },
    ]);
    expect(plan({ shared: [base] }).environments.map(({ name }) => name)).toEqual(['Team']);
  });

  it('is not there where nothing is', () => {
    expect(plan({})).toEqual({ environments: [], sealed: [], notes: [] });
    expect(plan({ environments: [environment('E', base)] }).environments.map(({ name }) => name)).toEqual([
      'E',
    ]);
  });
});

describe('an address for an environment without one', () => {
  const added = (
    variables: ImportedVariable[],
    requests: string[],
    shared: ImportedVariable[] = [],
    whence = 'where its requests go',
  ) => {
    const { environments, notes } = plan(
      { shared, environments: [environment('E', ...variables)] },
      requests.map((url, at) => sent(`${at}.http`, url)),
    );
    const own = environments.find(({ name }) => name === 'E')!.variables['base_url'];
    expect(notes.map(({ what }) => what)).toEqual(
      own === undefined ? [] : [`It had no base_url: ${own} is added, ${whence}.`],
    );
    return own;
  };

  it('is where most of its requests go, else the first', () => {
    const [a, b] = ['https://a.example/1', 'https://b.example:8443/2?c=d'];
    expect(added([], [a, b])).toBe('https://a.example');
    expect(added([], [a, b, b])).toBe('https://b.example:8443');
    expect(added([], [b, a, a, b])).toBe('https://b.example:8443');
    expect(added([], ['HTTP://A.example:80/1', 'ftp://c.example', 'x'])).toBe('http://a.example');
  });

  it('has its variables filled in, those of all environments, too', () => {
    const [a, b] = ['{{host}}/1', '{{ scheme }}://{{name}}/2'];
    expect(added([variable('host', 'https://a.example/v1')], [a])).toBe('https://a.example');
    expect(
      added(
        [variable('name', 'b.example')],
        [b],
        [variable('scheme', 'https'), variable('name', 'a.example')],
      ),
    ).toBe('https://b.example');
  });

  it('is that of the host, whoever is named before it', () => {
    const host = variable('host', 'https://ann:{{word}}@a.example:8443/v1');
    expect(added([host], ['{{host}}/1'])).toBe('https://a.example:8443');
  });

  it('is a variable’s, where no request tells', () => {
    const variables = [variable('page', '1'), variable('host', 'https://a.example/v1')];
    const whence = 'as another of its variables has it';
    for (const requests of [['{{other}}/x'], []])
      expect(added(variables, requests, [], whence)).toBe('https://a.example');
  });

  it.each([
    ['baseUrl', 'https://a.example', undefined],
    ['UAT_BASE_URL', 'https://a.example', undefined],
    ['payouts', 'https://hooks.example', true],
  ])('is that of %s before one of webhooks, and a guess where no name tells', (name, baseUrl, isGuessed) => {
    const hooks = variable('callbackUrl', 'https://hooks.example/in');
    const uat = environment('UAT', hooks, variable(name, 'https://a.example/v1'), variable('api_key', 'k-1'));
    const { sealed } = plan({ environments: [uat] });
    expect(sealed).toMatchObject([{ baseUrl }]);
    expect(sealed[0]!.isGuessed).toBe(isGuessed);
  });

  it.each([
    [['{{hooks}}/1', '{{hooks}}/2', '{{payouts}}/3'], true],
    [['https://b.example/1', 'https://b.example/2', '{{payouts}}/3'], true],
    [['{{api_url}}/1', '{{api_url}}/2', '{{hooks}}/3'], undefined],
    [['{{payouts}}/1', '{{payouts}}/2', '{{open}}/3'], undefined],
  ])('is a guess where requests go to several places and no name tells: %j', (urls, isGuessed) => {
    const hosts = ['hooks', 'payouts', ...(urls[0]!.includes('api') ? ['api_url'] : [])];
    const all = hosts.map((name) => variable(name, `https://${name.slice(0, 3)}.example/in`));
    const uat = environment('UAT', ...all, variable('api_key', 'k-1'));
    const { sealed } = plan(
      { environments: [uat] },
      urls.map((url, at) => sent(`${at}.http`, url)),
    );
    expect(sealed[0]!.isGuessed).toBe(isGuessed);
  });

  it('is none where nothing tells', () => {
    for (const url of [
      'https://',
      'https:///x',
      'https://api.{{domain}}/x',
      'https://a.example:{{port}}/x',
      'https://{{user}}@/x',
      'see https://a.example/',
      '{{host}}/x',
      'https://{{host}}/x',
      'https://[/x',
    ])
      expect(added([variable('page', '1')], [url])).toBeUndefined();
  });

  it('is none where all share one', () => {
    const { environments, notes } = plan(
      { shared: [base], environments: [environment('E', variable('page', '1'))] },
      [sent('1.http', 'https://b.example/')],
    );
    expect(environments[1]).toEqual({ name: 'E', variables: { page: '1' } });
    expect(notes).toEqual([]);
  });
});

describe('where secrets belong', () => {
  const key = variable('api_key', 'k-1');
  const baseUrlOf = (...variables: ImportedVariable[]) =>
    plan({ environments: [environment('E', key, ...variables)] }, [
      sent('1.http', 'https://r.example/x'),
    ]).sealed.map(({ baseUrl }) => baseUrl);

  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/v1/', 'https://a.example/v1'],
    ['https://a.example//', 'https://a.example'],
    ['https://a.example/v1?x=1#y', 'https://a.example/v1'],
    ['https://a.example/v1#y\nz', 'https://a.example/v1'],
    ['https://{{host}}/v1/', 'https://h.example'],
    ['/v1', 'https://r.example'],
    ['{{unknown}}', 'https://r.example'],
  ])('is the address %s', (baseUrl, expected) => {
    expect(baseUrlOf(variable('base_url', baseUrl), variable('host', 'h.example'))).toEqual([expected]);
  });

  it('is every environment for what stood in a request, and those without secrets are none', () => {
    const credentials = [{ name: 'token', value: 't-1' }];
    const environments = [environment('E', base), environment('F', base, key)];
    expect(plan({ environments }, [], credentials).sealed.map(({ secrets }) => secrets)).toEqual([
      credentials,
      [{ name: 'api_key', value: 'k-1' }, ...credentials],
    ]);
    expect(plan({ environments }).sealed.map(({ environment: name }) => name)).toEqual(['F']);
  });

  it('is where the first request with them goes, without an environment', () => {
    const requests = [
      sent('1.http', 'https://a.example/{{other}}'),
      sent('2.http', 'https://a.example/x', 'GET https://a.example/x\nX-A: {{one}} {{two}}'),
      sent('3.http', 'https://b.example:81/y', 'X-A: {{one}}\nX-B: {{three}}'),
      sent('4.http', '{{host}}/y', 'X-A: {{four}}'),
    ];
    const names = ['one', 'two', 'three', 'four', 'five'];
    const credentials = names.map((name) => ({ name, value: `value of ${name}` }));
    const { environments, sealed } = plan({}, requests, credentials);
    expect(environments).toEqual([]);
    const [one, two, three, four, five] = credentials;
    expect(sealed).toEqual([
      { environment: 'a.example', baseUrl: 'https://a.example', variables: {}, secrets: [one, two] },
      { environment: 'b.example:81', baseUrl: 'https://b.example:81', variables: {}, secrets: [three] },
      { environment: 'Team', baseUrl: '', variables: {}, secrets: [four, five] },
    ]);
    expect(plan({ name: null }, [], [one!]).sealed.map(({ environment: name }) => name)).toEqual([
      'imported',
    ]);
  });
});

it('reads the address of each of a hundred environments from thousands of requests in time', () => {
  const requests = Array.from({ length: 20_000 }, (_, index) =>
    sent(
      `r-${index}.http`,
      index % 3 === 0 ? `{{ host }}/p/${index}` : `{{scheme}}://{{name}}.example/${index}`,
    ),
  );
  const environments = Array.from({ length: 100 }, (_, index) =>
    environment(
      `E-${index}`,
      variable('scheme', 'https'),
      variable('name', `n${index}`),
      variable('key', `k-${index}`, true),
    ),
  );
  const readMs = countProcessorMs();
  const planned = plan({ environments }, requests);
  expect(readMs()).toBeLessThan(2_000);
  expect(planned.environments[99]!.variables['base_url']).toBe('https://n99.example');
  expect(planned.sealed[99]!.baseUrl).toBe('https://n99.example');
});
