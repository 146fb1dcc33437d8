import { expect, it } from 'vitest';
import { createImported, createRequest, type Imported } from '../imported';
import { addSchemes } from './add-schemes';

const add = (
  urls: readonly string[],
  shared: Record<string, string>,
  environments: Record<string, Record<string, string>> = {},
  given: Partial<Imported> = {},
) => {
  const list = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => ({ name, value, isSecret: false }));
  const made = addSchemes({
    ...createImported('Team'),
    items: [
      {
        kind: 'folder',
        name: 'F',
        notes: [],
        items: urls.map((url) =>
          createRequest({ name: url, method: 'GET', url, variables: [['own', 'own.example']] }),
        ),
      },
    ],
    shared: list(shared),
    environments: Object.entries(environments).map(([name, values]) => ({ name, variables: list(values) })),
    ...given,
  });
  const [folder] = made.items;
  const written = folder?.kind === 'folder' ? folder.items.map((one) => 'url' in one && one.url) : [];
  return { urls: written, made, notes: made.notes.map(({ where, what }) => `${where}: ${what}`) };
};

it.each([
  ['{{host}}/pay', 'http://{{host}}/pay'],
  ['{{host}}:{{port}}/pay', 'http://{{host}}:{{port}}/pay'],
  ['{{local}}', 'http://{{local}}'],
  ['{{ host }}?q=1', 'http://{{ host }}?q=1'],
  ['{{nested}}/x', 'http://{{nested}}/x'],
  ['{{own}}/x', 'http://{{own}}/x'],
  ['{{docker}}/x', 'http://{{docker}}/x'],
  ['{{six}}/x', 'http://{{six}}/x'],
  ['{{letters}}/x', 'http://{{letters}}/x'],
  ['{{dotted}}/x', 'http://{{dotted}}/x'],
  ['{{user}}/x', '{{user}}/x'],
  ['{{whole}}/x', '{{whole}}/x'],
  ['{{scheme}}://{{host}}/x', '{{scheme}}://{{host}}/x'],
  ['https://{{host}}/x', 'https://{{host}}/x'],
  ['{{unknown}}/x', '{{unknown}}/x'],
  ['{{path}}/x', '{{path}}/x'],
  ['{{mail}}', '{{mail}}'],
])('puts http:// before a variable that holds a host alone: %s', (url, written) => {
  const shared = {
    host: 'api.example',
    local: 'localhost:4010/v1',
    nested: '{{host}}/v2',
    docker: 'pay_service:8080',
    six: '[::1]:8080',
    letters: 'zoë.example',
    dotted: 'api.example.',
    user: 'ann:pw@api.example',
    whole: 'https://api.example',
    scheme: 'https',
    path: '/v1',
    mail: 'mailto:ann@a.example',
  };
  expect(add([url], shared).urls).toEqual([written]);
});

it('leaves the requests where one environment has a whole address, and says once what it added', () => {
  const both = { A: { host: 'a.example' }, B: { host: 'b.example' }, C: {}, D: { host: '' } };
  const { urls, notes } = add(['{{host}}/x', '{{host}}/y'], {}, both);
  expect(urls).toEqual(['http://{{host}}/x', 'http://{{host}}/y']);
  expect(notes).toEqual([
    'Team: {{host}} holds a host without a scheme: http:// stands before it in the requests here, as other tools send them. Write https:// there where the service takes it.',
  ]);
  const mixed = { ...both, C: { host: 'https://c.example' } };
  expect(add(['{{host}}/x'], {}, mixed)).toMatchObject({ urls: ['{{host}}/x'], notes: [] });
});

it('makes a whole address of a base_url, but where requests write the scheme before it, and in no document of OpenAPI', () => {
  const environments = { UAT: { base_url: 'uat.example:8080/v1' } };
  const { urls, made, notes } = add(['{{base_url}}/x'], {}, environments);
  expect(urls).toEqual(['{{base_url}}/x']);
  expect(made.environments[0]!.variables).toMatchObject([{ value: 'http://uat.example:8080/v1' }]);
  expect(notes).toEqual([
    'UAT: Its base_url had no scheme: it is http://uat.example:8080/v1 here, as other tools send it.',
  ]);
  for (const one of [
    add(['https://{{base_url}}/x'], {}, environments),
    add(['{{base_url}}/x'], {}, environments, { document: 'openapi:Team' }),
  ]) {
    expect(one.made.environments[0]!.variables).toMatchObject([{ value: 'uat.example:8080/v1' }]);
    expect(one.notes).toEqual([]);
  }
});
