import { expect, it } from 'vitest';
import { compareReaders } from '../../electron/platform/http1/testing/compare-readers';
import { casesOf } from '../support/effort';

const SHARES = 4;
const MESSAGES_A_SHARE = casesOf(5000, 25_000);

it.each(Array.from({ length: SHARES }, (_, share) => share + 1))(
  'our HTTP reader and Node’s read sound and damaged messages alike, share %i',
  async (share) => {
    const { counts, differences } = await compareReaders(share, MESSAGES_A_SHARE);
    expect(differences).toEqual([]);
    expect(counts.made).toBeGreaterThanOrEqual(MESSAGES_A_SHARE);
    expect(counts.validLost).toBe(0);
    expect(counts.own).toBeGreaterThan(counts.node * 0.95);
  },
);
