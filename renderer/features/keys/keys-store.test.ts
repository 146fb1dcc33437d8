import type { KeySummary } from '@shared/contract/vault';
import { AppError } from '@shared/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import {
  describeClaim,
  describeExpiry,
  describeVault,
  isEncryptedPem,
  keyFileName,
  shortFingerprint,
  type TokenSummary,
} from './keys-selectors';
import { useKeysStore } from './keys-store';

const key: KeySummary = {
  id: 'k1',
  name: 'Local',
  environment: 'local',
  bits: 2048,
  exponent: 65537,
  fingerprint: '3f9ab07e55d2'.padEnd(60, '0') + '90c1',
  publicKeyPem: 'PEM',
  origin: 'generated',
  createdAt: 1,
  isLocked: false,
};

const token: TokenSummary = {
  environment: 'local',
  product: 'payout',
  masked: 'eyJ…abc',
  header: { alg: 'RS256' },
  claims: { exp: 10 },
  issuedAt: 0,
  expiresAt: 10_000,
};

let fake: FakeTransport;
let stop = (): void => undefined;
const state = () => useKeysStore.getState();

beforeEach(() => {
  vi.useFakeTimers();
  useKeysStore.setState(useKeysStore.getInitialState(), true);
  fake = createFakeTransport({
    'vault.status': () => ({ state: 'unlocked', box: 'os_keychain', message: null, keyCount: 1 }),
    'keys.list': () => ({ keys: [key] }),
    'credentials.list': () => ({ credentials: [] }),
    'tokens.list': () => ({ tokens: [token] }),
    'environments.list': () => ({ environments: [] }),
    'tokens.reveal': () => ({ token: 'whole', hideAfterMs: 60_000 }),
  });
  setTransport(fake);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('keys store', () => {
  it('loads everything and reads again when the vault changes', async () => {
    stop = state().start();
    await vi.runAllTimersAsync();
    expect(state()).toMatchObject({ phase: 'ready', keys: [key], tokens: [token] });
    fake.handlers['keys.list'] = () => ({ keys: [] });
    fake.emit('vault.changed', {});
    await vi.runAllTimersAsync();
    expect(state().keys).toEqual([]);
  });

  it('shows a locked vault as locked, not as a failure', async () => {
    fake.handlers['vault.status'] = () => ({
      state: 'locked',
      box: 'passphrase',
      message: null,
      keyCount: 3,
    });
    fake.handlers['keys.list'] = () => Promise.reject(new AppError('vault.locked', 'Unlock it.'));
    await state().load();
    expect(state()).toMatchObject({ phase: 'ready', keys: [], vault: { state: 'locked' } });
  });

  it('selects a key that was imported and says what was mended', async () => {
    fake.handlers['keys.import'] = () => ({ key: { ...key, id: 'k2' }, repairs: ['line breaks restored'] });
    await state().importKey({ name: 'x', text: 'pem' });
    expect(state().selected).toEqual({ kind: 'key', id: 'k2' });
    expect(state().repairs).toEqual({ keyId: 'k2', list: ['line breaks restored'] });
  });

  it('hides a whole token after ten seconds at the latest', async () => {
    await state().revealToken('local', 'payout');
    expect(state().revealed?.token).toBe('whole');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(state().revealed).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(state().revealed).toBeNull();
  });

  it('hides a whole token at once when something else is chosen or the view closes', async () => {
    stop = state().start();
    await state().revealToken('local', 'payout');
    state().choose({ kind: 'vault' });
    expect(state().revealed).toBeNull();
    await state().revealToken('local', 'payout');
    stop();
    expect(state().revealed).toBeNull();
  });

  it('shows no whole token that comes after something else was chosen or the view was closed', async () => {
    stop = state().start();
    const late = [state().revealToken('local', 'payout')];
    state().choose({ kind: 'vault' });
    late.push(state().revealToken('local', 'payout'));
    stop();
    await Promise.all(late);
    expect(state().revealed).toBeNull();
  });

  it('drops the selection with the key that was deleted', async () => {
    await state().load();
    state().choose({ kind: 'key', id: 'k1' });
    fake.handlers['keys.delete'] = () => ({});
    fake.handlers['keys.list'] = () => ({ keys: [] });
    await state().deleteKey('k1');
    expect(state().selected).toBeNull();
  });

  it('hands refusals to the form that asked', async () => {
    fake.handlers['keys.generate'] = () => Promise.reject(new AppError('vault.locked', 'Unlock it.'));
    await expect(state().generate({ name: 'x' })).rejects.toMatchObject({ code: 'vault.locked' });
  });
});

describe('keys selectors', () => {
  it('shortens a fingerprint in the middle', () => {
    expect(shortFingerprint(key.fingerprint)).toBe('3f9a b07e 55d2 … 90c1');
  });

  it('sees from the header that a passphrase is needed', () => {
    expect(isEncryptedPem('-----BEGIN ENCRYPTED PRIVATE KEY-----')).toBe(true);
    expect(isEncryptedPem('Proc-Type: 4,ENCRYPTED')).toBe(true);
    expect(isEncryptedPem('-----BEGIN PRIVATE KEY-----')).toBe(false);
  });

  it('counts a token down and says when it is over', () => {
    expect(describeExpiry(65_000, 0)).toEqual({ text: '1:05 left', tone: 'good' });
    expect(describeExpiry(5_000, 0).tone).toBe('warn');
    expect(describeExpiry(0, 8_000)).toEqual({ text: 'expired 8.0 s ago', tone: 'bad' });
    expect(describeExpiry(null, 0).tone).toBe('quiet');
  });

  it('shows instants of a token also as dates', () => {
    expect(describeClaim('exp', 0)).toBe('0 · 1970-01-01T00:00:00Z');
    expect(describeClaim('exp', 1e300)).toBe('1e+300');
    expect(describeClaim('sub', 'x')).toBe('x');
  });

  it('says what seals the vault, and names files safely', () => {
    expect(describeVault({ state: 'locked', box: 'passphrase', message: null, keyCount: 0 })).toBe(
      'Locked, sealed by your passphrase',
    );
    expect(keyFileName('../My Key 🔑', 'public')).toBe('my-key-public.pem');
    expect(keyFileName('🔑', 'public')).toBe('key-public.pem');
  });
});
