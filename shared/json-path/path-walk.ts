import { AppError } from '../errors';
import { childrenOf, type JsonIndex } from '../json/json-index';
import type { PathQuery } from './path-query';

/** So many values are looked at for one query, whatever it asks and however often it comes back to them. */
const MOST_STEPS = 5_000_000;
/** A longer key or value that is compared costs a step more for so many of its characters. */
const SHORT_TEXT = 64;
const CHARACTERS_A_STEP = 4;

/** One query over one text: what it may still do. */
export class PathWalk {
  #stepsLeft = MOST_STEPS;

  constructor(
    readonly index: JsonIndex,
    /** Finds what a query within a filter asks for. */
    readonly follow: (walk: PathWalk, query: PathQuery, from: number) => number[],
  ) {}

  /** @throws {AppError} `json.too_many` where the query has looked at too much */
  step(characters = 0): void {
    this.spend(characters > SHORT_TEXT ? 1 + Math.ceil(characters / CHARACTERS_A_STEP) : 1);
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) {
      throw new AppError(
        'json.too_many',
        'This path looks at too many values. Say more of the way, or use fewer “..”.',
      );
    }
  }

  *children(node: number): Generator<number> {
    for (const child of childrenOf(this.index, node)) {
      this.step();
      yield child;
    }
  }
}
