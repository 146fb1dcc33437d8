import type { DoctorResult } from '@shared/contract/doctor';
import type { MethodOutput } from '@shared/contract/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useLabHandover } from '../../session/handover';
import { useLabStore } from './lab-store';
import { settleDelayMs, type VaultKey } from './lab-state';

const result: DoctorResult = {
  valid: false,
  verdict: 'explained',
  explanation: 'Signed with “|” between the fields.',
  causes: [],
  signedString: 'a|1',
  expectedString: 'a1',
  checks: [],
  digestHex: null,
  searched: 10,
  elapsedMs: 1,
};

const keyOf = (id: string, environment: string): VaultKey => ({
  id,
  name: id,
  environment,
  bits: 2048,
  exponent: 65537,
  fingerprint: 'f',
  publicKeyPem: 'pem',
  origin: 'generated',
  createdAt: 0,
  isLocked: false,
});

let fake: FakeTransport;
let stop = (): void => undefined;
let release: (value: DoctorResult) => void = () => undefined;
const state = () => useLabStore.getState();
const diagnoses = () => fake.calls.filter((one) => one.method === 'doctor.diagnose');

beforeEach(() => {
  vi.useFakeTimers();
  useLabStore.setState(useLabStore.getInitialState(), true);
  useLabHandover.setState({ handover: null });
  fake = createFakeTransport({
    'keys.list': () => ({ keys: [keyOf('other', 'uat'), keyOf('own', 'local')] }),
    'app.status': () => ({ environment: { id: 'local' } }) as MethodOutput<'app.status'>,
    'doctor.diagnose': () => result,
    'doctor.cancel': () => ({}),
  });
  setTransport(fake);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('shows itself at work, whatever key the active environment has: an amount signed in another way than it was sent', async () => {
  fake.handlers['app.status'] = () => ({ environment: { id: 'uat' } }) as MethodOutput<'app.status'>;
  fake.handlers['signing.sign'] = () =>
    ({ signature: 'c2lnbmVk', keyId: 'own' }) as MethodOutput<'signing.sign'>;
  await state().tryExample();
  const signed = fake.calls.find(({ method }) => method === 'signing.sign')!.input;
  expect(signed).toMatchObject({ environment: 'local', body: expect.stringContaining('"amount": 1500,') });
  expect(diagnoses()[0]?.input).toMatchObject({ signature: 'c2lnbmVk', keyId: 'own' });
  expect(state().body).toContain('"amount": 1500.00,');
  expect(state().origin).toBe('an example');
});

async function begin(): Promise<void> {
  stop = state().start();
  await vi.advanceTimersByTimeAsync(0);
}

describe('lab store', () => {
  it('picks the key of the active environment', async () => {
    await begin();
    expect(state().key).toEqual({ kind: 'vault', id: 'own' });
  });

  it('asks the doctor once typing pauses, and not before all inputs are there', async () => {
    await begin();
    state().change({ body: '{}' });
    await vi.advanceTimersByTimeAsync(settleDelayMs);
    expect(diagnoses()).toHaveLength(0);
    state().change({ signature: 'a' });
    state().change({ signature: 'ab' });
    await vi.advanceTimersByTimeAsync(settleDelayMs);
    expect(diagnoses()).toHaveLength(1);
    expect(diagnoses()[0]?.input).toMatchObject({ body: '{}', signature: 'ab', keyId: 'own' });
    expect(state()).toMatchObject({ phase: 'done', result });
  });

  it('fills in what another view hands over and starts at once', async () => {
    useLabHandover.setState({ handover: { body: 'b', signature: 's', publicKeyPem: 'P', origin: '401' } });
    await begin();
    expect(state()).toMatchObject({ body: 'b', key: { kind: 'pem' }, origin: '401', phase: 'done' });
    expect(diagnoses()[0]?.input).toMatchObject({ publicKeyPem: 'P' });
  });

  it('knows a handed-over key that is in the vault', async () => {
    useLabHandover.setState({ handover: { body: 'b', signature: 's', publicKeyPem: 'pem\n' } });
    await begin();
    expect(state().key).toEqual({ kind: 'vault', id: 'other' });
  });

  it('shows progress of its own diagnosis alone', async () => {
    await begin();
    fake.handlers['doctor.diagnose'] = () => new Promise((resolve) => (release = resolve));
    state().change({ body: '{}', signature: 's' });
    await vi.advanceTimersByTimeAsync(settleDelayMs);
    const { diagnosisId } = diagnoses()[0]!.input as { diagnosisId: string };
    fake.emit('doctor.progress', { diagnosisId: 'else', searched: 1, stage: 'x' });
    expect(state().progress).toBeNull();
    fake.emit('doctor.progress', { diagnosisId, searched: 99, stage: 'pairs' });
    expect(state().progress).toEqual({ searched: 99, stage: 'pairs' });
  });

  it('cancels, and lets a late answer fall', async () => {
    await begin();
    fake.handlers['doctor.diagnose'] = () => new Promise((resolve) => (release = resolve));
    state().change({ body: '{}', signature: 's' });
    await vi.advanceTimersByTimeAsync(settleDelayMs);
    await state().cancel();
    release(result);
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({ phase: 'canceled', result: null });
    expect(fake.calls.at(-1)?.method).toBe('doctor.cancel');
  });

  it('keeps the inputs when the doctor refuses them', async () => {
    await begin();
    fake.handlers['doctor.diagnose'] = () => Promise.reject(new Error('no'));
    state().change({ body: '{}', signature: 's' });
    await vi.advanceTimersByTimeAsync(settleDelayMs);
    expect(state()).toMatchObject({ phase: 'failed', body: '{}' });
    expect(state().error).not.toBeNull();
  });
});

it('searches on ten times as long, as long as may be, and as usual for what is asked next', async () => {
  stop = state().start();
  state().change({ body: '{}', signature: 'abc' });
  await vi.runAllTimersAsync();
  const asked = (): (number | undefined)[] =>
    diagnoses().map(({ input }) => (input as { mostMs?: number }).mostMs);
  for (let count = 0; count < 4; count++) await state().searchOn();
  expect(asked()).toEqual([undefined, 100_000, 1_000_000, 3_600_000, 3_600_000]);
  await state().diagnose();
  expect(asked().at(-1)).toBeUndefined();
});
