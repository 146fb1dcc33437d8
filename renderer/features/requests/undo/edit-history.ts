import type { TextEdit } from '@shared/body/edit-body';
import { findChange } from '../../../ui/code-editor/line-ends';

/** Keys that follow one another so quickly, at one place, are one step. */
const joinMs = 700;
const longestStepMs = 4000;
/** Steps of a tab, and characters that they hold together: beyond these the oldest go. */
const MOST_STEPS = 1000;
const MOST_CHARS = 16 * 1024 * 1024;

/** Where something was edited: a part of the request, and what of it. Steps of different places are never joined. */
export interface EditPlace {
  readonly part: 'address' | 'body' | 'form' | 'query' | 'headers' | 'expect' | 'file';
  readonly detail: string;
}

interface Step {
  readonly place: EditPlace;
  readonly start: number;
  readonly removed: string;
  readonly inserted: string;
}

/** The step that is being typed: what it changed is found when it ends, and not at each key. */
interface OpenStep {
  readonly place: EditPlace;
  readonly before: string;
  readonly startedAt: number;
  lastAt: number;
}

/** What a step that was taken back, or made again, has changed in the text as it is now. */
export interface Restored {
  readonly text: string;
  readonly place: EditPlace;
  readonly start: number;
  readonly end: number;
}

/**
 * The edits of one file, whatever they were made in: body, form, headers, address, the text of the file itself.
 *
 * A text that changed behind its back (a file read anew) becomes a step of its own: it can be taken back, too.
 */
export class EditHistory {
  private done: Step[] = [];
  private undone: Step[] = [];
  private open: OpenStep | null = null;
  private chars = 0;

  /** @param latest - the text as it stands */
  constructor(private latest: string) {}

  /** Adds an edit; one that goes on where the last one was becomes part of it. */
  record(before: string, after: string, place: EditPlace, now: number): void {
    if (before === after) return;
    this.follow(before);
    this.undone = [];
    const { open } = this;
    if (
      open !== null &&
      isSamePlace(open.place, place) &&
      now - open.lastAt <= joinMs &&
      now - open.startedAt <= longestStepMs
    ) {
      open.lastAt = now;
    } else {
      this.close();
      this.open = { place, before, startedAt: now, lastAt: now };
    }
    this.latest = after;
  }

  /** Takes the last step back; null: there is none. */
  undo(text: string): Restored | null {
    this.follow(text);
    this.close();
    const step = this.done.pop();
    if (step === undefined) return null;
    this.undone.push(step);
    return this.put(step, step.inserted, step.removed);
  }

  /** Makes the step again that was taken back last; null: there is none, or something was edited since. */
  redo(text: string): Restored | null {
    this.follow(text);
    const step = this.undone.pop();
    if (step === undefined) return null;
    this.done.push(step);
    return this.put(step, step.removed, step.inserted);
  }

  private put({ place, start }: Step, from: string, to: string): Restored {
    this.latest = this.latest.slice(0, start) + to + this.latest.slice(start + from.length);
    return { text: this.latest, place, start, end: start + to.length };
  }

  /** Takes in what changed the text without saying so. */
  private follow(text: string): void {
    if (text === this.latest) return;
    this.close();
    this.undone = [];
    this.keep({ part: 'file', detail: '' }, this.latest, findChange(this.latest, text));
    this.latest = text;
  }

  private close(): void {
    const { open } = this;
    if (open !== null) this.keep(open.place, open.before, findChange(open.before, this.latest));
    this.open = null;
  }

  private keep(place: EditPlace, before: string, change: TextEdit | null): void {
    if (change === null) return;
    const { start, end, text } = change;
    this.done.push({ place, start, removed: detach(before.slice(start, end)), inserted: detach(text) });
    this.chars += end - start + text.length;
    while (this.done.length > 1 && (this.done.length > MOST_STEPS || this.chars > MOST_CHARS)) {
      const { removed, inserted } = this.done.shift()!;
      this.chars -= removed.length + inserted.length;
    }
  }
}

const isSamePlace = (one: EditPlace, other: EditPlace): boolean =>
  one.part === other.part && one.detail === other.detail;

/** A slice keeps the whole text that it was cut from in memory; this one does not. */
const detach = (slice: string): string => ` ${slice}`.slice(1);
