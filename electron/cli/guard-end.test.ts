import { afterEach, expect, it, vi } from 'vitest';
import { guardEnd } from './guard-end';

afterEach(() => vi.restoreAllMocks());

it('ends a command that comes to no end as one that failed, with a word', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as typeof process.exit);
  const said: string[] = [];
  guardEnd(({ code, message }) => {
    said.push(`${code} ${message}`);
    return 1;
  });
  process.emit('beforeExit', 0);
  expect(exit).toHaveBeenCalledWith(1);
  expect(said).toEqual([expect.stringMatching(/^app\.internal The command came to no end/)]);
});

it('says nothing of one that came to its own', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as typeof process.exit);
  guardEnd(() => 1)();
  process.emit('beforeExit', 0);
  expect(exit).not.toHaveBeenCalled();
});
