import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error -- a script without types
import { listShipped, readLicenceTexts } from '../../scripts/list-shipped.mjs';
// @ts-expect-error -- a script without types
import { makeThirdParty } from '../../scripts/third-party.mjs';
import { projectRoot } from '../support/run-cli';

interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly use: string;
}

const shipped = (listShipped as (root: string) => Shipped[])(projectRoot);
const readTexts = readLicenceTexts as (root: string, one: Shipped) => { name: string; text: string }[];
const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');

/** Licences that let it be shipped as it is, their texts beside it. A new one is for a person to read first. */
const known = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', '(BSD-3-Clause OR GPL-2.0)', 'OFL-1.1']);

describe('what is shipped of others', () => {
  it('is seen in the bundle: what the page, the command line and both need', () => {
    const names = shipped.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['react', 'monaco-editor', 'zod', 'libsql']));
    expect(names).toEqual(expect.arrayContaining(['@fontsource-variable/inter', 'vite', 'rolldown']));
  });

  it.each(Object.entries(makeThirdParty() as Record<string, string>))(
    'stands in %s, every package of the bundle',
    (name, text) => {
      expect(read(name), 'run: npm run third-party').toBe(text);
    },
  );

  it('has a licence that is known, and its text', () => {
    expect(shipped.filter(({ license }) => !known.has(license))).toEqual([]);
    const without = shipped.filter((one) => readTexts(projectRoot, one).length === 0);
    // The native parts of libsql, one for each system, are under the text of libsql itself.
    expect(without.map(({ name }) => name).filter((name) => !name.startsWith('@libsql/'))).toEqual([]);
  });
});
