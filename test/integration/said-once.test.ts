import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

it('a remark on a private environment file is said once for each version of it, and always with --json', async () => {
  const folder = makeTemporaryFolder('said-once');
  const make = (name: string): string => {
    const shop = join(folder, name);
    mkdirSync(shop);
    writeFileSync(join(shop, 'http-client.env.json'), '{"dev":{"base_url":"http://127.0.0.1:9"}}');
    writeFileSync(join(shop, 'http-client.private.env.json'), '{"dev":{"api_key":"not-for-us"}}');
    writeFileSync(join(shop, 'a.http'), '### a\n# @expect status 299\nGET {{base_url}}/a\n');
    return shop;
  };
  const [shop, other] = [make('shop'), make('other')];
  const hears = async (cwd: string, ...args: string[]): Promise<boolean> =>
    (await runOnce(args, { cwd })).stderr.includes('No secret is taken from http-client.private.env.json');
  mkdirSync(join(folder, 'data'));
  const data = ['--data', join(folder, 'data')];
  const send = ['send', 'a.http', '--env', 'dev', ...data];
  const run = ['run', 'a.http', '--env', 'dev', '--data-directory', join(folder, 'data')];
  expect([await hears(shop, ...send), await hears(shop, ...send), await hears(shop, ...run)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([
    await hears(shop, ...send, '--json'),
    await hears(other, ...run),
    await hears(other, ...send),
  ]).toEqual([true, true, false]);
  utimesSync(join(shop, 'http-client.private.env.json'), 1, 1);
  expect([await hears(shop, ...send), await hears(shop, ...send)]).toEqual([true, false]);
});
