import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from '@shared/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createCollectionsService, type CollectionsService } from './create-collections-service';

let folder: string;
let collection: string;
let service: CollectionsService;
let id: string;

const links = {
  self: '.',
  'sub/up': '../sub',
  circle: 'circle',
  outside: '..',
  'out.http': '../secret.http',
  'dead.http': 'nothing.http',
};

function layOut(): void {
  mkdirSync(join(collection, 'sub', 'deep'), { recursive: true });
  writeFileSync(join(collection, 'sub', 'b.http'), 'GET http://b.test\n');
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(collection, link));
}

/** Of the collection, links not followed. */
const listAll = (): string[] => [
  ...readdirSync(collection),
  ...readdirSync(join(collection, 'sub')).map((name) => `sub/${name}`),
];

beforeEach(async () => {
  const values = new Map<string, unknown>();
  folder = makeTemporaryFolder('links');
  collection = join(folder, 'collection');
  layOut();
  writeFileSync(join(folder, 'secret.http'), 'GET http://s3cret.example\n');
  service = createCollectionsService({
    dataDirectory: join(folder, 'data'),
    settings: { get: (key) => structuredClone(values.get(key)), set: (key, value) => values.set(key, value) },
    events: createEventBus(),
    clock: systemClock,
    random: systemRandom,
    version: '0',
    starter: null,
  });
  ({ id } = await service.handlers['collections.open']({ directory: collection }));
});
afterEach(() => service.close());

describe.skipIf(process.platform === 'win32')('links in a collection', () => {
  it.each(['out.http', 'dead.http', 'outside', 'self', 'sub/up'])(
    '%s is deleted as the link that it is, and put back as one',
    async (path) => {
      const before = listAll();
      const { trashId } = await service.handlers['collections.delete']({ collectionId: id, path });
      expect(listAll()).toEqual(before.filter((one) => one !== path));
      expect(existsSync(join(folder, 'secret.http'))).toBe(true);
      expect(existsSync(join(collection, 'sub', 'b.http'))).toBe(true);
      await service.handlers['collections.restore']({ trashId });
      expect(listAll()).toEqual(before);
      expect(lstatSync(join(collection, path)).isSymbolicLink()).toBe(true);
    },
  );

  it('to a folder with requests are shown with what is wrong, and one to a folder of bodies is not', async () => {
    mkdirSync(join(folder, 'bodies'));
    writeFileSync(join(folder, 'bodies', 'a.json'), '{}');
    symlinkSync('../bodies', join(collection, 'bodies'));
    mkdirSync(join(folder, 'team', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'team', 'deep', 'c.http'), 'GET http://c.test\n');
    symlinkSync('../team', join(collection, 'team'));
    const { nodes } = await service.handlers['collections.tree']({ collectionId: id });
    const faulty = nodes.filter(({ kind, fault }) => kind === 'folder' && fault !== null);
    expect(faulty.map(({ path }) => path)).toEqual(['outside', 'self', 'sub/up', 'team']);
    expect(new Set(faulty.map(({ fault }) => fault?.message))).toEqual(
      new Set([expect.stringMatching(/^This link leads to a folder: requests are neither listed nor run/)]),
    );
  });

  const targets = ['', 'sub', 'sub/up', 'sub/deep', 'self', 'self/sub'];
  const paths = [
    'self',
    'self/self',
    'self/self/self',
    'sub',
    'sub/up',
    'sub/up/up',
    'self/sub/up',
    'circle',
    'circle/x',
    'out.http',
    'dead.http',
  ];
  it.each(paths)('whatever is done with %s is done or refused in words of a collection', async (path) => {
    const whole = { collectionId: id, path };
    const tries: (() => unknown)[] = [
      ...targets.flatMap((toFolder) => [
        () => service.handlers['collections.move']({ ...whole, toCollectionId: id, toFolder }),
        () => service.handlers['collections.copy']({ ...whole, toCollectionId: id, toFolder }),
      ]),
      () => service.handlers['collections.rename']({ ...whole, name: 'renamed' }),
      () => service.handlers['collections.delete'](whole),
    ];
    for (const attempt of tries) {
      rmSync(collection, { recursive: true });
      layOut();
      const outcome = await (async () => attempt())().catch((error: unknown) => error);
      if (outcome instanceof Error)
        expect((outcome as AppError).code).toMatch(/^collections\.(?:bad_path|unknown|exists)$/);
    }
    expect(existsSync(join(folder, 'secret.http'))).toBe(true);
  });
});
