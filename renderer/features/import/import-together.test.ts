import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { beforeEach, expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport } from '../../transport/fake';
import { previewTogether, runTogether, useTogether } from './import-together';

const outcome = (part: Partial<MethodOutput<'imports.run'>>): MethodOutput<'imports.run'> =>
  ({ collectionId: null, requests: 0, addresses: [], notes: [], ...part }) as MethodOutput<'imports.run'>;
const text = (name: string) => ({ source: { kind: 'text' as const, name, text: name } });

let imported: unknown[];
let isDiskFull: boolean;
let isRefusedBefore: boolean;

beforeEach(() => {
  imported = [];
  isDiskFull = false;
  isRefusedBefore = false;
  const run = ({
    source,
    target,
    isPreview,
    before,
  }: MethodInput<'imports.run'>): MethodOutput<'imports.run'> => {
    const isCollection = source.kind === 'text' && source.name === 'shop.json';
    if (isCollection && target.kind === 'new' && isRefusedBefore)
      throw new AppError('import.not_readable', 'Its file of environments cannot be read.');
    if (isCollection && !isPreview && isDiskFull)
      throw new AppError('platform.unwritable', 'The disk is full.');
    if (!isPreview) imported.push({ ...target, before });
    if (!isCollection) return outcome({ name: 'Staging' });
    return outcome({
      name: 'Shop',
      requests: 2,
      addresses: ['https://a.example'],
      collectionId: isPreview ? null : 'c2',
    });
  };
  const transport = createFakeTransport({
    'imports.run': run,
    'collections.list': () => ({
      collections: [{ id: 'c1', name: 'Payments API', directory: '/c1' }],
      activeId: 'c1',
      heldBack: [],
      recent: [],
      notes: [],
    }),
  });
  setTransport(transport);
});

async function importBoth(): Promise<void> {
  previewTogether([text('staging.json'), text('shop.json')]);
  await expect.poll(() => useTogether.getState().isReading).toBe(false);
  await runTogether();
}

it('puts an environment into no other collection where the one that it was given with could not be made', async () => {
  isDiskFull = true;
  await importBoth();
  expect(imported).toEqual([]);
  expect(useTogether.getState().items.map(({ name, error }) => [name, error?.message])).toEqual([
    [
      'staging.json',
      'It was not imported: shop.json, whose environment it is, could not be. Import both again.',
    ],
    ['shop.json', 'The disk is full.'],
  ]);
});

it('puts it into no other collection either where that one was refused as soon as it was known where it goes', async () => {
  isRefusedBefore = true;
  await importBoth();
  expect(imported).toEqual([]);
  expect(useTogether.getState().items[0]!.error?.message).toContain('whose environment it is');
});

it('puts it into that collection where it was made, and tells the address that came with it', async () => {
  await importBoth();
  const made = { kind: 'new', name: 'Shop', before: [] };
  expect(imported).toEqual([made, { kind: 'collection', collectionId: 'c2', before: ['https://a.example'] }]);
});
