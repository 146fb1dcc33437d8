import { describe, expect, it } from 'vitest';
import { usualSetup } from '../contract/usual-setup';
import { createDynamicValues } from './dynamic-values';
import { parseHttpFile } from './parse-http-file';
import { prepareRequest } from './prepare-request';
import { takePathForm } from './path-form';
import { findOrigin, joinScopes, type ValueOwners } from './value-scopes';

const baseUrl = 'https://uat.example.test/base';
const owners: ValueOwners = {
  environment: {
    baseUrl,
    setup: usualSetup,
    variables: {
      base_url: baseUrl,
      a: 'environment',
      b: 'environment',
      c: 'environment',
      shared: 'of all',
      api_key: '{{vault.api_key}}',
    },
    sharedNames: ['shared'],
    session: { a: 'session', password: '{{vault.password}}' },
  },
  collection: {
    a: 'collection',
    b: 'collection',
    c: 'collection',
    d: 'collection',
    base_url: 'https://evil.test',
  },
};
const file = parseHttpFile(
  '@a = file\n@b = first\n@b = file\nGET {{base_url}}/{{a}}/{{b}}/{{c}}/{{d}}/{{shared}}/{{e}}\nX-Key: {{api_key}}\n',
);
const block = file.requests[0]!;
const dynamic = createDynamicValues({
  now: () => 0,
  random: { uuid: () => 'u', bytes: (n) => new Uint8Array(n) },
});

describe('the scopes of values', () => {
  it('are those of the collection alone without an environment', () => {
    const alone = { environment: null, collection: { a: '1' } };
    expect(joinScopes(alone)).toEqual({ variables: { a: '1' }, given: {} });
    expect(findOrigin('a', [], alone)).toMatchObject({ kind: 'value', found: { scope: 'collection' } });
    const { sharedNames: _shared, session: _session, ...bare } = owners.environment!;
    const without = { ...owners, environment: bare as never };
    expect(findOrigin('shared', [], without)).toMatchObject({ found: { scope: 'environment' } });
  });

  it.each([
    ['signature', 'back_end'],
    [' token.payout ', 'back_end'],
    ['signatures', 'none'],
    ['my signature', 'none'],
    ['token.payout1', 'none'],
    ['$uuid', 'drawn'],
    [' %a', 'value'],
    ['a % b', 'none'],
  ])('know of {{%s}}: %s', (expression, kind) => {
    expect(findOrigin(expression, [], owners)).toMatchObject({ kind });
  });

  it('win in their order: session, file, environment, collection', () => {
    const prepared = prepareRequest(block, { ...joinScopes(owners), dynamic });
    expect(prepared.url).toBe(`${baseUrl}/session/file/environment/collection/of all/{{e}}`);
    expect(prepared.headers).toEqual([['X-Key', '{{vault.api_key}}']]);
  });

  it('are told as they are taken, with what they hide', () => {
    const origin = (name: string) => findOrigin(name, block.fileVariables, owners);
    for (const name of ['base_url', 'a', 'b', 'c', 'd', 'shared']) {
      const found = origin(name);
      const prepared = prepareRequest(
        parseHttpFile(`@a = file\n@b = first\n@b = file\nGET {{${name}}}`).requests[0]!,
        {
          ...joinScopes(owners),
          dynamic,
        },
      );
      expect(found.kind === 'value' && found.found.value).toBe(prepared.url);
    }
    expect(origin('a')).toMatchObject({
      found: { scope: 'session' },
      hidden: [{ scope: 'file' }, { scope: 'environment' }, { scope: 'collection' }],
    });
    expect(origin('%b')).toMatchObject({ found: { scope: 'file', value: 'file' } });
    expect(origin('shared')).toMatchObject({ found: { scope: 'collection', value: 'of all' } });
  });

  it('tell secrets by their names alone, and what nobody gives', () => {
    const origin = (name: string) => findOrigin(name, block.fileVariables, owners);
    expect(origin('api_key')).toMatchObject({
      kind: 'vault',
      name: 'api_key',
      found: { scope: 'environment' },
    });
    expect(origin('password')).toMatchObject({
      kind: 'vault',
      name: 'password',
      found: { scope: 'session' },
    });
    expect(origin('vault.x')).toEqual({ kind: 'vault', name: 'x', found: null });
    expect(origin('token.payout')).toEqual({ kind: 'back_end' });
    expect(origin('$uuid')).toEqual({ kind: 'drawn' });
    for (const name of ['e', '__proto__', 'constructor']) expect(origin(name)).toEqual({ kind: 'none' });
  });
});

describe('the path form of an environment', () => {
  const take = (path: string, pathForm: 'as_written' | 'plain' | 'api') =>
    takePathForm(path, { baseUrl, setup: { pathForm } });

  it('is that of payments at its own address, and of nothing else', () => {
    expect(take(`${baseUrl}/payments/v1/payouts?x=1`, 'api')).toBe(`${baseUrl}/payments/api/v1/payouts?x=1`);
    expect(take(`${baseUrl}/payments/api/v1/remittance`, 'plain')).toBe(`${baseUrl}/payments/v1/remittance`);
    for (const other of [
      `${baseUrl}/payments/v1/collections`,
      `${baseUrl}/tsq/v1/query/payments`,
      `${baseUrl}/payments/v1/payouts/7`,
      'https://other.test/payments/v1/payouts',
    ]) {
      expect(take(other, 'api')).toBe(other);
    }
    expect(take(`${baseUrl}/payments/v1/payouts`, 'as_written')).toBe(`${baseUrl}/payments/v1/payouts`);
  });

  it('is in what is previewed and sent', () => {
    const environment = { ...owners.environment!, setup: { ...usualSetup, pathForm: 'api' as const } };
    const { requests } = parseHttpFile('POST {{base_url}}/payments/v1/payouts\n\n{}');
    const prepared = prepareRequest(requests[0]!, {
      ...joinScopes({ environment, collection: {} }),
      dynamic,
    });
    expect(prepared.url).toBe(`${baseUrl}/payments/api/v1/payouts`);
  });
});
