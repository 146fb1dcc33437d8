import { describe, expect, it } from 'vitest';
import { readOverCuts } from './store-errors';

describe('reading over connections that are cut', () => {
  const count = async (message: string, code?: string): Promise<number> => {
    let tries = 0;
    const read = (): Promise<never> => {
      tries += 1;
      return Promise.reject(Object.assign(new Error(message), { code }));
    };
    await expect(readOverCuts(read)).rejects.toThrow(message);
    return tries;
  };

  it('asks again where one that stood was ended, and not where none came to be in time', async () => {
    expect(await count('Connection terminated unexpectedly')).toBe(3);
    expect(await count('Connection terminated')).toBe(3);
    expect(await count('read', 'ECONNRESET')).toBe(3);
    expect(await count('Connection terminated due to connection timeout')).toBe(1);
    expect(await count('timeout exceeded when trying to connect')).toBe(1);
    expect(await count('connect', 'ECONNREFUSED')).toBe(1);
  });
});
