import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { engineFlags, isFlagKnown, type EngineFlag } from './engine-flags';

const flags = Object.keys(engineFlags) as EngineFlag[];

it('takes for known what the V8 of this Node lists, and nothing else', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const listed = new Set([...stdout.matchAll(/^ {2}--([\w-]+) \(/gm)].map(([, name]) => name));
  expect(flags.filter((flag) => isFlagKnown(flag))).toEqual(flags.filter((flag) => listed.has(flag)));
});

it('sets none in a release of V8 that nobody has looked at', () => {
  const inNode = {
    20: '11.3.244.8-node.33',
    22: '12.4.254.21-node.57',
    26: '14.6.202.34-node.34',
    later: '15.0.1',
  };
  const known = Object.values(inNode).map(
    (version) => flags.filter((flag) => isFlagKnown(flag, version)).length,
  );
  expect(known).toEqual([3, 2, 2, 0]);
});
