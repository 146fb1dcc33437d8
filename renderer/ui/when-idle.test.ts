import { afterEach, expect, it, vi } from 'vitest';
import { whenIdle } from './when-idle';

afterEach(() => void vi.unstubAllGlobals());

it('asks the browser, and runs soon where it has no idle time to tell of', async () => {
  const asked = vi.fn((run: () => void) => run());
  vi.stubGlobal('requestIdleCallback', asked);
  const run = vi.fn();
  whenIdle(run, 1234);
  expect(asked).toHaveBeenCalledWith(expect.any(Function), { timeout: 1234 });
  expect(run).toHaveBeenCalledOnce();

  vi.unstubAllGlobals();
  expect('requestIdleCallback' in globalThis).toBe(false);
  await new Promise<void>((resolve) => whenIdle(resolve, 5));
});
