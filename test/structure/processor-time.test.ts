import { expect, it } from 'vitest';
import { countProcessorMs } from '../support/processor-time';

it('measures the machine now and then, not with each of a thousand short pieces of work', () => {
  const { user, system } = process.cpuUsage();
  for (let piece = 0; piece < 1000; piece += 1) expect(countProcessorMs()()).toBeLessThan(10);
  const after = process.cpuUsage();
  expect((after.user - user + after.system - system) / 1000).toBeLessThan(2000);
});
