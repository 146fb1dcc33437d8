import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventMap } from '@shared/contract/events';
import type { WorkerHandle } from '../../platform/ports';
import { createDoctorService, type DoctorDeps } from './create-doctor-service';
import { runDiagnosis, type PlainQuestion } from '../../platform/doctor/run-diagnosis';

const BODY =
  '{"transaction":{"reference":"INV-1","amount":1500,"service_code":"MPESA-KE"},"originator":{"country":"KE"}}';

function makePair(): { pem: string; sign: (text: string) => string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
  };
}

const main = makePair();
const production = makePair();
const vault = [
  { id: 'k1', name: 'Sandbox', environment: 'sandbox', fingerprint: '', publicKeyPem: main.pem },
  {
    id: 'k2',
    name: 'Live',
    environment: 'production',
    fingerprint: 'ff'.repeat(32),
    publicKeyPem: production.pem,
  },
];

/** A worker without a thread: what is shown here is the service, `runDiagnosis` has its own tests. */
function createWorker(progress: (name: string, payload: unknown) => void): WorkerHandle {
  const canceled = new Set<string>();
  return {
    async call(method, input) {
      const { diagnosisId, question } = input as { diagnosisId: string; question: PlainQuestion };
      if (method === 'cancel') return void canceled.add(diagnosisId);
      return runDiagnosis(
        question,
        ({ stage, searched }) => progress('progress', { diagnosisId, stage, searched }),
        () => canceled.has(diagnosisId),
      );
    },
    onEvent: () => undefined,
    onExit: () => undefined,
    terminate: () => Promise.resolve(),
  };
}

function setUp(more: Partial<DoctorDeps> = {}): {
  service: ReturnType<typeof createDoctorService>;
  events: EventMap['doctor.progress'][];
} {
  const events: EventMap['doctor.progress'][] = [];
  const service = createDoctorService({
    labelOf: (id) => id.toUpperCase(),
    keys: { listPublicKeys: () => vault },
    ports: {
      startWorker: () => {
        const listeners = new Map<string, (payload: never) => void>();
        const worker = createWorker((name, payload) => listeners.get(name)?.(payload as never));
        const handle: WorkerHandle = {
          ...worker,
          onEvent: (name, listener) => void listeners.set(name, listener),
        };
        return handle as never;
      },
      logger: { log: () => undefined },
    },
    events: { emit: (_name, payload) => void events.push(payload as EventMap['doctor.progress']) },
    listEarlier: () => [],
    ...more,
  });
  return { service, events };
}

describe('doctor.diagnose', () => {
  it('answers about a key of the vault, and tells how far it is', async () => {
    const { service, events } = setUp();
    const result = await service.handlers['doctor.diagnose']({
      diagnosisId: 'd1',
      body: BODY,
      signature: main.sign('INV-1|1500|KE|MPESA-KE'),
      keyId: 'k1',
    });
    expect(result.causes.map(({ code }) => code)).toEqual(['string.separator']);
    expect(result.signedString).toBe('INV-1|1500|KE|MPESA-KE');
    expect(events[0]).toMatchObject({ diagnosisId: 'd1', stage: 'singles' });
  });

  it('names the key of the vault that was used instead', async () => {
    const { service } = setUp();
    const result = await service.handlers['doctor.diagnose']({
      diagnosisId: 'd2',
      body: BODY,
      signature: production.sign('INV-11500KEMPESA-KE'),
      keyId: 'k1',
    });
    expect(result.verdict).toBe('other_key');
    expect(result.explanation).toContain('Live');
  });

  it('names the request of history whose reference was signed', async () => {
    const { service } = setUp({
      listEarlier: () => [{ title: 'Payout, 09:12', reference: 'INV-0', stringToSign: null }],
    });
    const result = await service.handlers['doctor.diagnose']({
      diagnosisId: 'd3',
      body: BODY,
      signature: main.sign('INV-01500KEMPESA-KE'),
      publicKeyPem: main.pem,
    });
    expect(result.causes.map(({ code }) => code)).toEqual(['string.other_reference']);
    expect(result.explanation).toContain('Payout, 09:12');
  });

  it('holds nothing that the vault keeps, cut off or with a value in it, but for what the body says', async () => {
    const secrets = ['Schlüssel KE 4b7e91d2', 'INV-11500', 'abc'];
    const { service } = setUp({ listSecrets: async () => secrets });
    const ask = async (claimedString: string) =>
      service.handlers['doctor.diagnose']({
        diagnosisId: 'd6',
        body: BODY,
        signature: main.sign(claimedString),
        keyId: 'k1',
        claimedString,
      });
    for (const before of ['abc', 'q'.repeat(70)]) {
      const result = await ask(`INV-11500KEMPESA-KE${before}${secrets[0]}`);
      expect(result.signedString).toBe(`INV-11500KEMPESA-KE${before}‹a secret of the vault›`);
      expect(result.causes.map(({ code }) => code)).toEqual(['string.field_extra']);
      expect(JSON.stringify(result)).not.toMatch(/Schl|4b7e/);
    }
  });

  it('stops when it is told to', async () => {
    const { service } = setUp();
    const running = Promise.resolve(
      service.handlers['doctor.diagnose']({
        diagnosisId: 'd4',
        body: BODY,
        signature: main.sign('nobody knows this'),
        keyId: 'k1',
      }),
    );
    const outcome = expect(running).rejects.toMatchObject({ code: 'doctor.canceled' });
    await service.handlers['doctor.cancel']({ diagnosisId: 'd4' });
    // Canceled before it began, or while it ran: either way it ends.
    await service.handlers['doctor.cancel']({ diagnosisId: 'd4' });
    await outcome;
  });

  it('refuses a body that cannot be signed before any search', async () => {
    const { service } = setUp({
      ports: { startWorker: () => expect.fail('started'), logger: { log: () => undefined } },
    });
    await expect(
      Promise.resolve(
        service.handlers['doctor.diagnose']({ diagnosisId: 'd5', body: '{', signature: 'x', keyId: 'k1' }),
      ),
    ).rejects.toMatchObject({ code: 'signing.not_json' });
  });
});
