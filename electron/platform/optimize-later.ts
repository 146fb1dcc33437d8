import { setEngineFlag } from './engine-flags';

/**
 * Has V8 optimise code that ran for longer than it waits for by itself.
 *
 * For a command that is over in a second or two: on machines with few processors the threads that optimise take the time of
 * what they optimise for, and of the service that it talks to. What runs on and on is optimised all the same. Call it first.
 */
export function optimizeLater(): void {
  setEngineFlag('interrupt-budget', 1_000_000);
}
