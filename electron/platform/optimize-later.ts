import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 optimise code that ran for longer than it waits for by itself.
 *
 * For a command that is over in a second or two: on machines with few processors the threads that optimise take the time of
 * what they optimise for, and of the service that it talks to. What runs on and on is optimised all the same. Call it first.
 */
export function optimizeLater(): void {
  setFlagsFromString('--interrupt-budget=1000000');
}
