import type { HashName } from '../../signing/hash-algorithms';
import { toHex } from '../../signing/hex';
import { hashForPss, type HashFunction, type Padding } from '../decode/read-padding';
import { composeDraft, writeDraft, type Draft } from './draft';

/** Tells of any string whether it is the one that was signed. */
export interface Matcher {
  /** How many strings were tried. */
  searched: number;
  matches(draft: Draft): boolean;
}

/** Makes the test for what a signature holds. */
export function createMatcher(padding: Padding, hash: HashFunction): Matcher {
  switch (padding.kind) {
    case 'digest':
      return createDigestMatcher(padding.hash, padding.digestHex, hash);
    case 'pss':
      return createTest(
        (draft) => hashForPss(writeDraft(draft), padding.salt, padding.hash, hash) === padding.digestHex,
      );
    case 'bare': {
      const payloadHex = toHex(padding.payload);
      return createTest((draft) => toHex(writeDraft(draft)) === payloadHex);
    }
  }
}

/** Makes the test for a digest. Nearly all drafts are text alone, which the hash takes as it is. */
export function createDigestMatcher(name: HashName, digestHex: string, hash: HashFunction): Matcher {
  return createTest((draft) => {
    const isText = draft.encode === null && draft.wrap === null;
    return hash(name, isText ? composeDraft(draft) : writeDraft(draft)) === digestHex;
  });
}

function createTest(test: (draft: Draft) => boolean): Matcher {
  return {
    searched: 0,
    matches(draft) {
      this.searched += 1;
      return test(draft);
    },
  };
}
