import { join } from 'node:path';
import { z } from 'zod';
import { readOwnFile, writeOwnFile } from '../platform/files/files';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const pixel = z.number().int().min(-100_000).max(100_000);
const windowPlace = z.object({
  x: pixel,
  y: pixel,
  width: pixel.min(1),
  height: pixel.min(1),
  isMaximized: z.boolean(),
});
type WindowPlace = z.infer<typeof windowPlace>;

/** The smallest window that shows every view. */
export const leastSize = { width: 800, height: 560 };
const usualSize = { width: 1280, height: 800 };
/** So much of it has to lie on a display for it to be found there. */
const leastSeen = 120;

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'window.json');

/** Reads where the window was; null: nobody knows, or the file says nothing that can be read. */
export function readWindowPlace(dataDirectory: string): WindowPlace | null {
  try {
    return windowPlace.parse(JSON.parse(readOwnFile(fileOf(dataDirectory)).toString('utf8')));
  } catch {
    return null;
  }
}

/** Remembers where the window is. A place that cannot be kept costs nobody anything. */
export function keepWindowPlace(dataDirectory: string, place: WindowPlace): void {
  try {
    writeOwnFile(fileOf(dataDirectory), `${JSON.stringify(place)}\n`);
  } catch {
    // A full or read-only disk is told of by what matters.
  }
}

/**
 * Fits the window into the displays that are there now.
 *
 * @param areas - of the displays, without their bars; the first is the main one
 * @returns where it is to open; without a place: in the middle of the main display
 */
export function fitWindow(place: WindowPlace | null, areas: readonly Box[]): Partial<Box> & typeof usualSize {
  const area = place && areas.find((one) => seenOn(place, one));
  const [main] = areas;
  const room = area ?? main ?? { x: 0, y: 0, ...usualSize };
  const { width, height } = place ?? usualSize;
  const size = {
    width: Math.max(Math.min(width, room.width), Math.min(leastSize.width, room.width)),
    height: Math.max(Math.min(height, room.height), Math.min(leastSize.height, room.height)),
  };
  // Its display is gone: it opens as a new one does, in the size that it had.
  if (!place || !area) return size;
  return {
    ...size,
    x: Math.min(Math.max(place.x, area.x), area.x + area.width - size.width),
    y: Math.min(Math.max(place.y, area.y), area.y + area.height - size.height),
  };
}

function seenOn(place: Box, area: Box): boolean {
  const width = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
  const height = Math.min(place.y + place.height, area.y + area.height) - Math.max(place.y, area.y);
  return width >= leastSeen && height >= leastSeen;
}
