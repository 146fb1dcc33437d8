import { describe, expect, it } from 'vitest';
import { createDynamicValues } from './dynamic-values';
import { parseHttpFile } from './parse-http-file';
import { resolveRequest } from './resolve-request';
import {
  fillVaultReferences,
  isVaultExpression,
  listVaultReferences,
  writeVaultReference,
} from './vault-reference';

const dynamic = createDynamicValues({
  now: () => 0,
  random: { uuid: () => 'u', bytes: (count) => new Uint8Array(count) },
});
const secret = 'p&ss wörd';
const variables = { user: 'amina', password: writeVaultReference('password') };

const resolve = (text: string) => resolveRequest(parseHttpFile(text).requests[0]!, { variables, dynamic });
const fill = (text: string): string => fillVaultReferences(text, () => secret);

describe('a variable whose value lies in the vault', () => {
  it('stands as a reference wherever it is used, and is not unresolved', () => {
    const { url, headers, body, unresolved } = resolve(
      'POST https://x.test/?q={{password}}\nX-Pass: {{password}}\n\n{"password":"{{password}}"}',
    );
    expect([url, headers[0]![1], body]).toEqual([
      'https://x.test/?q={{vault.password}}',
      '{{vault.password}}',
      '{"password":"{{vault.password}}"}',
    ]);
    expect(unresolved).toEqual([]);
    expect(listVaultReferences(body!)).toEqual(['password']);
    expect(fill(body!)).toBe(`{"password":"${secret}"}`);
  });

  it.each([
    ['vault.api_key', true],
    ['%vault.api key', true],
    ['my.vault.api_key', false],
    ['vault.', false],
    ['vault.a}b', false],
    ['vault.a\nb', false],
  ])('tells of %j whether it asks for one', (name, isAsked) => {
    expect(isVaultExpression(name)).toBe(isAsked);
  });

  it('is encoded for a URL once it is there', () => {
    const { url } = resolve('GET https://x.test/?q={{%password}}&u={{%user}}\n');
    expect(fill(url)).toBe(`https://x.test/?q=${encodeURIComponent(secret)}&u=amina`);
  });

  it('may be named in a file itself', () => {
    const { url, unresolved } = resolve('GET https://x.test/?q={{ vault.password }}\n');
    expect([unresolved, fill(url)]).toEqual([[], `https://x.test/?q=${secret}`]);
  });
});
