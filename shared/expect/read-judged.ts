import { parseJsonTree, type JsonNode } from '../json/json-tree';

/** Deeper than anything that somebody writes expectations for. */
const MAX_LEVELS = 256;

/** A body as expectations look at it: all of it, or nothing. */
export interface JudgedBody {
  /** Null: there is nothing to look into. */
  readonly tree: JsonNode | null;
  /** Why there is no tree: what the body is instead ('not JSON'); null: there is one. */
  readonly whyUnread: string | null;
}

class TooMuch extends Error {}

/** Reads a body that is to be judged: whole, or not at all. */
export function readJudged(text: string): JudgedBody {
  try {
    const refuse = (why: string) => (): never => {
      throw new TooMuch(`${why}, which is not judged`);
    };
    const tree = parseJsonTree(text, MAX_LEVELS, {
      refuseDeeper: refuse(`nested deeper than ${MAX_LEVELS} levels`),
      refuseMore: refuse('larger than two million values'),
    });
    return { tree, whyUnread: null };
  } catch (error) {
    if (error instanceof TooMuch) return { tree: null, whyUnread: error.message };
    return { tree: null, whyUnread: text.trim() === '' ? 'empty' : 'not JSON' };
  }
}
