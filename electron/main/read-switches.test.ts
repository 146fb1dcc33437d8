import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { listSwitchWords, readSwitches } from './read-switches';

it('reads the switches of a start', () => {
  expect(readSwitches(['electron', '.', '--data', 'folder', '--dev-tools'])).toEqual({
    data: resolve('folder'),
    hasDevTools: true,
  });
  expect(readSwitches(['electron', '.'])).toEqual({ data: null, hasDevTools: false });
  expect(readSwitches(['electron', '.', '--data'])).toEqual({ data: null, hasDevTools: false });
});

it('takes nothing for a switch that stands behind what another program hands over', () => {
  const handed = ['countersign', '--', 'countersign://view/inbox', '--data', '//host/share', '--dev-tools'];
  expect(readSwitches(handed)).toEqual({ data: null, hasDevTools: false });
  expect(readSwitches(['countersign', '--data', '--', 'countersign://x'])).toMatchObject({ data: null });
  expect(listSwitchWords(handed)).toEqual(['countersign']);
});
