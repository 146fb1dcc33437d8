import { describe, expect, it } from 'vitest';
import type { Environment } from '../contract/environments';
import { findProductionOf } from './find-production';

describe('findProductionOf', () => {
  const live = { id: 'data:live', name: 'live', kind: 'production', baseUrl: 'https://api.example.com' };
  const other = { id: 'run:x', name: 'command line', kind: 'sandbox', baseUrl: 'https://api.example.com/x' };
  const all = [other, live] as Environment[];

  it('knows it by its host, whatever the environment is called', () => {
    expect(findProductionOf('https://api.example.com/payments', all, all[0])?.name).toBe('live');
    expect(findProductionOf('https://sandbox.example.com/', all, all[0])).toBeNull();
  });

  it.each([
    ['https://api.example.com', 'https://API.example.com.:443/x'],
    ['https://10.1.2.3:8443', 'https://[::ffff:10.1.2.3]:8443'],
    ['http://127.0.0.1:80', 'http://localhost'],
    ['http://localhost:4010', 'http://0:4010'],
    ['http://localhost:4010', 'http://[::1]:4010'],
  ])('knows %s by the spelling %s', (baseUrl, spelled) => {
    const one = { ...live, baseUrl } as Environment;
    expect(findProductionOf(spelled, [one])).toBe(one);
    const elsewhere = Object.assign(new URL(spelled), { port: '8444' }).href;
    expect(findProductionOf(elsewhere, [one])).toBeNull();
  });

  it('takes a production environment at its word, wherever the file leads', () => {
    expect(findProductionOf('http://127.0.0.1/', all, all[1])?.name).toBe('live');
  });

  it('names the one that has the address, though another one of production is chosen', () => {
    const second = { ...live, id: 'data:second', baseUrl: 'https://second.example' } as Environment;
    expect(findProductionOf('https://api.example.com/', [second, ...all], second)?.id).toBe('data:live');
  });

  it('names the one that is chosen where two have the same address', () => {
    const second = { ...live, id: 'data:second', name: 'second' } as Environment;
    expect(findProductionOf('https://api.example.com/', [...all, second], second)).toBe(second);
  });
});
