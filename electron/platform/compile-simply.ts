import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 compile WebAssembly once and simply, for a process that ends soon.
 *
 * The HTTP parser is made of it; optimising it takes 30 MB and more time than a thousand answers give back. Call it
 * before the first request.
 */
export function compileSimply(): void {
  setFlagsFromString('--liftoff-only');
}
