import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import { casesOf } from '../support/effort';
import { runUntilKilled } from '../support/kill-at';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const old = '# @name Pay\nGET http://127.0.0.1/old\n';
const next = `# @name Pay\nGET http://127.0.0.1/new\n\n${'x'.repeat(100_000)}`;
const version = createHash('sha256').update(old).digest('hex').slice(0, 32);

/** Every so many-th change is one that a call is killed before. */
const STEP = casesOf(2, 1);

let data: string;
let root: string;
let collectionId: string;

async function call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>> {
  const { exitCode, stdout, stderr } = await runOnce(['call', method, '--data', data], {
    input: JSON.stringify(input),
  });
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as MethodOutput<M>;
}

/** Files of the collection that people see. */
const readAll = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
      .filter((path) => statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

/** Kills a call before each of its changes in turn; a test looks at what is left, and puts it back. */
async function killEverywhere<M extends MethodName>(
  method: M,
  prepare: () => Promise<MethodInput<M>>,
  look: (isKilled: boolean) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at += STEP) {
    const input = JSON.stringify(await prepare());
    const folders = [root, join(data, '.trash')];
    const isKilled = runUntilKilled(['call', method, '--data', data], { folders, at, input });
    await look(isKilled);
    if (!isKilled) return at - 1;
  }
}

const reset = (): void => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'in', 'deep'), { recursive: true });
  for (const path of ['Pay.http', 'in/One.http', 'in/deep/Two.http']) writeFileSync(join(root, path), old);
};

beforeEach(async () => {
  data = makeTemporaryFolder('collection-kill-data');
  root = join(makeTemporaryFolder('collection-kill'), 'shop');
  reset();
  ({ id: collectionId } = await call('collections.open', { directory: root }));
});

describe('a process that is killed in the midst of it', () => {
  it('leaves the old request or the new one, where it is saved', async () => {
    const seen = new Set<string>();
    const kills = await killEverywhere(
      'collections.write',
      () => {
        reset();
        return Promise.resolve({ collectionId, path: 'Pay.http', text: next, version });
      },
      () => {
        const text = readAll()['Pay.http'];
        expect([old, next]).toContain(text);
        seen.add(text!);
        return Promise.resolve();
      },
    );
    expect([kills > 1, seen.size]).toEqual([true, 2]);
  });

  it('loses nothing on the way into the trash, and lists there what is there', async () => {
    for (const path of ['Pay.http', 'in']) {
      await killEverywhere(
        'collections.delete',
        () => {
          reset();
          rmSync(join(data, '.trash'), { recursive: true, force: true });
          return Promise.resolve({ collectionId, path });
        },
        async () => {
          const before = Object.keys(readAll()).length;
          const { entries } = await call('collections.trash', {});
          expect(entries.map((entry) => entry.path)).toEqual(before === 3 ? [] : [path]);
          for (const { trashId } of entries) await call('collections.restore', { trashId });
          expect(readAll()).toEqual({ 'Pay.http': old, 'in/One.http': old, 'in/deep/Two.http': old });
        },
      );
    }
  });

  it('loses nothing on the way back, and has it in one place', async () => {
    await killEverywhere(
      'collections.restore',
      async () => {
        reset();
        rmSync(join(data, '.trash'), { recursive: true, force: true });
        return call('collections.delete', { collectionId, path: 'in' });
      },
      async () => {
        const { entries } = await call('collections.trash', {});
        expect(entries.length).toBe(Object.keys(readAll()).length === 3 ? 0 : 1);
        for (const { trashId } of entries) await call('collections.restore', { trashId });
        expect(readAll()).toEqual({ 'Pay.http': old, 'in/One.http': old, 'in/deep/Two.http': old });
      },
    );
  });

  it('leaves a whole copy or none', async () => {
    for (const [path, copies] of [
      ['Pay.http', ['Pay copy.http']],
      ['in', ['in copy/One.http', 'in copy/deep/Two.http']],
    ] as const) {
      await killEverywhere(
        'collections.copy',
        () => {
          reset();
          return Promise.resolve({ collectionId, path, toCollectionId: collectionId, toFolder: '' });
        },
        () => {
          const found = readAll();
          const made = Object.keys(found).filter((one) => one.includes('copy'));
          expect([[], [...copies]]).toContainEqual(made);
          for (const one of made)
            expect(found[one]).toMatch(/^# @name Pay( copy)?\nGET http:\/\/127.0.0.1\/old\n$/);
          expect(found).toMatchObject({ 'Pay.http': old, 'in/One.http': old, 'in/deep/Two.http': old });
          return Promise.resolve();
        },
      );
    }
  });
});
