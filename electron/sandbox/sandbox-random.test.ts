import { expect, test } from 'vitest';
import { createSandboxRandom } from './sandbox-random';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function drawAll(random: ReturnType<typeof createSandboxRandom>) {
  return [random.uuid(), random.numericId(), random.reference(), random.unit()];
}

test('the same seed gives the same values, another seed or run does not', () => {
  expect(drawAll(createSandboxRandom(7))).toEqual(drawAll(createSandboxRandom(7)));
  expect(drawAll(createSandboxRandom(7))).not.toEqual(drawAll(createSandboxRandom(8)));
  expect(drawAll(createSandboxRandom(7, 1))).not.toEqual(drawAll(createSandboxRandom(7, 2)));
});

test.each([null, 'seed'])('values have their form (seed %s)', (seed) => {
  const random = createSandboxRandom(seed);
  for (let round = 0; round < 2000; round++) {
    expect(random.uuid()).toMatch(UUID);
    expect(random.numericId()).toMatch(/^[1-9]\d{14}$/);
    expect(random.reference()).toMatch(/^PR[2-9A-HJ-NP-Z]{12}$/);
    const unit = random.unit();
    expect(unit).toBeGreaterThanOrEqual(0);
    expect(unit).toBeLessThan(1);
  }
});

test('ten thousand identifiers of one seed differ', () => {
  const random = createSandboxRandom(1);
  expect(new Set(Array.from({ length: 10_000 }, () => random.uuid())).size).toBe(10_000);
});
