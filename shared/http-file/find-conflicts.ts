import type { HttpFileFault } from './http-file';
import { countLines } from './http-lines';

/** Two versions of a part of a file, as a merge leaves them. Offsets are UTF-16 units, `end` is behind the last line. */
interface Conflict {
  readonly start: number;
  readonly end: number;
  /** The line after its last, from 1. */
  readonly nextLine: number;
  readonly fault: HttpFileFault;
}

/** What is to be done about a conflict, a sentence. */
export const SETTLE_CONFLICT =
  'Two versions stand here as a merge leaves them: keep one, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';
const ownFile = 'A body that is to have such lines goes into a file of its own (< ./body.txt).';
const message = `${SETTLE_CONFLICT} ${ownFile}`;
const loneMessage = `A line that a merge left stands here, without the others of its kind: see that one version is whole, and remove the line. ${ownFile}`;
const markers = ['<<<<<<<', '=======', '>>>>>>>'] as const;

/** Tells whether a line is the marker that comes next: 0 begins the first version, 1 the second one, 2 is behind both. */
export function isMarkerLine(line: string, stage: number): boolean {
  const marker = markers[stage];
  return marker !== undefined && line.startsWith(marker) && /^[ \r]?$/.test(line.charAt(marker.length));
}

/** Says of a text in which a merge left two versions where, and what to do; null for any other. */
export function sayConflict(text: string): string | null {
  const [conflict] = findConflicts(text);
  return conflict === undefined ? null : `line ${conflict.fault.line}: ${SETTLE_CONFLICT}`;
}

/** Gives where a line begins with a marker, at or after `from`; -1: nowhere. A blank, a line end or the text's end follows it. */
function findMarker(text: string, marker: string, from: number): number {
  for (let at = text.indexOf(marker, from); at !== -1; at = text.indexOf(marker, at + 1)) {
    const isFirst = at === 0 || text.charCodeAt(at - 1) === 10;
    if (isFirst && /^(?:[ \r\n]|$)/.test(text.charAt(at + marker.length))) return at;
  }
  return -1;
}

/**
 * Finds the conflicts that a merge left in a file: all three markers, each at the start of a line, in their order. Sent as it
 * stands, such a body would be neither version.
 *
 * @source git-merge(1), HOW CONFLICTS ARE PRESENTED
 */
export function findConflicts(text: string): Conflict[] {
  const conflicts: Conflict[] = [];
  for (let from = 0, fromLine = 1; ;) {
    const places: number[] = [];
    for (const marker of markers) {
      const at = findMarker(text, marker, places.at(-1) ?? from);
      if (at === -1) return conflicts;
      places.push(at);
    }
    const [start = 0, , last] = places;
    const feed = text.indexOf('\n', last);
    const end = feed === -1 ? text.length : feed + 1;
    const line = fromLine + countLines(text, from, start);
    const nextLine = line + countLines(text, start, end);
    conflicts.push({ start, end, nextLine, fault: { line, message } });
    [from, fromLine] = [end, nextLine];
  }
}

/** Finds lines that begin or end a conflict of which the rest is gone: half of one is neither version either. A lone `=======` may be a heading's. */
function findLoneMarkers(text: string, conflicts: readonly Conflict[]): Conflict[] {
  const lone: Conflict[] = [];
  for (const marker of ['<<<<<<<', '>>>>>>>']) {
    let [counted, line, index] = [0, 1, 0];
    for (let at = findMarker(text, marker, 0); at !== -1; at = findMarker(text, marker, at + 1)) {
      while (index < conflicts.length && conflicts[index]!.end <= at) index += 1;
      if (index < conflicts.length && conflicts[index]!.start <= at) continue;
      line += countLines(text, counted, at);
      counted = at;
      lone.push({ start: at, end: at + 1, nextLine: line + 1, fault: { line, message: loneMessage } });
    }
  }
  return lone;
}

/** What is wrong in a block, and what of it is not done. */
interface Remarks {
  readonly faults: HttpFileFault[];
  readonly notes: HttpFileFault[];
}

/** Names the conflicts of a file in its blocks, which are asked for in their order. */
export class ConflictNames {
  private next = 0;
  private readonly conflicts: readonly Conflict[];

  constructor(text: string) {
    const conflicts = findConflicts(text);
    this.conflicts = [...conflicts, ...findLoneMarkers(text, conflicts)].sort((a, b) => a.start - b.start);
  }

  /** Gives faults and notes of a block, first the faults of the conflicts through it: what else is said of those lines follows from them. */
  putFirst(start: number, end: number, { faults, notes }: Remarks): Remarks {
    const { conflicts } = this;
    while (this.next < conflicts.length && conflicts[this.next]!.end <= start) this.next += 1;
    let after = this.next;
    while (after < conflicts.length && conflicts[after]!.start < end) after += 1;
    const through = conflicts.slice(this.next, after);
    const [first] = through;
    const last = through.at(-1);
    if (first === undefined || last === undefined) return { faults, notes };
    const isOutside = ({ line }: HttpFileFault): boolean => line < first.fault.line || line >= last.nextLine;
    return {
      faults: [...through.map(({ fault }) => fault), ...faults.filter(isOutside)],
      notes: notes.filter(isOutside),
    };
  }
}
