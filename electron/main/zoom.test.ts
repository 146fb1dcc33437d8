import { expect, it, vi } from 'vitest';
import { listZoomEntries, nextZoom } from './zoom';

vi.mock('electron', () => ({}));

it('goes through the sizes of browsers, and ends where the views do', () => {
  const walk = (way: 'in' | 'out') => {
    const seen = [1];
    while (seen.length < 20) seen.push(nextZoom(seen.at(-1)! * 1.0004, way));
    return [...new Set(seen)];
  };
  expect(walk('in')).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2]);
  expect(walk('out')).toEqual([1, 0.9, 0.8]);
  // Left by an earlier version.
  expect([nextZoom(4.7, 'in'), nextZoom(4.7, 'out'), nextZoom(0.25, 'in'), nextZoom(0.25, 'out')]).toEqual([
    2, 2, 0.8, 0.8,
  ]);
});

it('takes the plus key without Shift, and those of the number pad, and shows each entry once', () => {
  const keys = listZoomEntries().map(({ accelerator, visible }) => `${String(accelerator)} ${visible}`);
  expect(keys.filter((one) => one.endsWith('true'))).toEqual([
    'CommandOrControl+0 true',
    'CommandOrControl+Plus true',
    'CommandOrControl+- true',
  ]);
  expect(keys.filter((one) => one.endsWith('false'))).toEqual([
    'CommandOrControl+num0 false',
    'CommandOrControl+= false',
    'CommandOrControl+numadd false',
    'CommandOrControl+numsub false',
  ]);
});
