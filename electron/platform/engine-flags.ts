// eslint-disable-next-line no-restricted-imports -- the one place
import { setFlagsFromString } from 'node:v8';

/**
 * The flags of V8 that we set, each with the first and the last release that is known to have it: Node 20 has V8 11, 22 has 12, 24
 * has 13, 26 has 14.
 */
export const engineFlags = {
  'heap-growing-percent': [11, 14],
  'semi-space-growth-factor': [11, 14],
  // From 12 on V8 counts invocations, and compiles in a cheaper way before it optimises.
  'interrupt-budget': [11, 11],
} as const satisfies Record<string, readonly [first: number, last: number]>;

export type EngineFlag = keyof typeof engineFlags;

/** @param version - of V8, as `process.versions` has it */
export function isFlagKnown(flag: EngineFlag, version = process.versions.v8): boolean {
  const [first, last] = engineFlags[flag];
  const release = Number.parseInt(version, 10);
  return release >= first && release <= last;
}

/**
 * Sets a flag of V8 where this one has it, and does nothing elsewhere.
 *
 * Of a flag that it does not know V8 itself writes to stderr, in the middle of what a command says. They are all for memory or
 * speed: a command does the same without.
 */
export function setEngineFlag(flag: EngineFlag, value: number): void {
  if (isFlagKnown(flag)) setFlagsFromString(`--${flag}=${value}`);
}
