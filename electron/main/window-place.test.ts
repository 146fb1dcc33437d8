import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { fitWindow, keepWindowPlace, readWindowPlace } from './window-place';

const main = { x: 0, y: 25, width: 1920, height: 1055 };
const second = { x: 1920, y: 0, width: 1280, height: 720 };
const place = { x: 2000, y: 40, width: 1000, height: 640, isMaximized: false };

it('opens where it was, also on another display', () => {
  expect(fitWindow(place, [main, second])).toEqual({ x: 2000, y: 40, width: 1000, height: 640 });
});

it('opens on the main display in its size where its display is gone', () => {
  expect(fitWindow(place, [main])).toEqual({ width: 1000, height: 640 });
  expect(fitWindow(null, [main])).toEqual({ width: 1280, height: 800 });
});

it('lies on a display as a whole, and is never larger than it', () => {
  const edge = fc.integer({ min: -5000, max: 5000 });
  const size = fc.integer({ min: 1, max: 9000 });
  fc.assert(
    fc.property(edge, edge, size, size, (x, y, width, height) => {
      const box = fitWindow({ x, y, width, height, isMaximized: false }, [main, second]);
      const area = [main, second].find(
        (one) => box.x === undefined || (box.x >= one.x && box.x < one.x + one.width),
      )!;
      expect(box.width).toBeLessThanOrEqual(area.width);
      expect(box.height).toBeLessThanOrEqual(area.height);
      if (box.x !== undefined) expect(box.x + box.width).toBeLessThanOrEqual(area.x + area.width);
      if (box.y !== undefined) expect(box.y + box.height).toBeLessThanOrEqual(area.y + area.height);
    }),
    { numRuns: 300 },
  );
});

it('is kept over a restart; a file that was spoilt counts for nothing', () => {
  const folder = makeTemporaryFolder('window-place');
  expect(readWindowPlace(folder)).toBeNull();
  keepWindowPlace(folder, place);
  expect(readWindowPlace(folder)).toEqual(place);
  for (const spoilt of ['', '[]', '{"x":1e9,"y":0,"width":1,"height":1,"isMaximized":true}', '{"x":"0"}']) {
    writeFileSync(join(folder, 'window.json'), spoilt);
    expect(readWindowPlace(folder), spoilt).toBeNull();
  }
});
