import { doctorLimits } from '@shared/contract/doctor-limits';
import type { HandlersOf, ParsedInput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { readNamed } from '@shared/json/name-foreign';
import { readStringToSign } from '@shared/signing/string-to-sign';
import type { EarlierRequest } from '@shared/doctor/hypotheses/earlier-deviations';
import type { DoctorWorkerEvents, DoctorWorkerMethods } from '../../platform/doctor/doctor-worker';
import type { Ports } from '../../platform/ports';
import { canceled } from '../../platform/doctor/canceled';
import type { PlainKey, PlainQuestion } from '../../platform/doctor/run-diagnosis';
import { superviseWorker } from '../../platform/workers/supervise-worker';
import type { KeySource } from '../signing/key-source';
import { createPublicKeyResolver, type ResolvedPublicKey } from '../signing/public-keys';

/** What the doctor service is made of. */
export interface DoctorDeps {
  readonly keys: Pick<KeySource, 'listPublicKeys'>;
  readonly ports: Pick<Ports, 'startWorker' | 'logger'>;
  readonly events: Pick<EventBus, 'emit'>;
  /** What the app calls an environment: the doctor speaks to people. */
  labelOf(id: string): string;
  /** References and strings of earlier requests, latest first; some hundreds are enough. */
  /** What the vault keeps: no answer holds it. */
  listSecrets?(): Promise<string[]>;
  listEarlier(): Promise<readonly EarlierRequest[]> | readonly EarlierRequest[];
}

/** Shorter texts stand in too many places by accident. */
const SHORTEST_SECRET = 8;

/** The doctor service: a diagnosis at a time or several, off the main thread, with progress and cancel. */
export interface DoctorService {
  readonly handlers: HandlersOf<'doctor'>;
  close(): Promise<void>;
}

/** Creates the doctor service. Its worker starts with the first diagnosis. */
export function createDoctorService(deps: DoctorDeps): DoctorService {
  const resolveKey = createPublicKeyResolver(deps.keys);
  const worker = superviseWorker<DoctorWorkerMethods, DoctorWorkerEvents>(deps.ports, {
    name: 'doctor',
    on: { progress: (payload) => deps.events.emit('doctor.progress', payload) },
  });
  /** Diagnoses under way; the value turns true when one is canceled before the worker has it. */
  const running = new Map<string, { isCanceled: boolean }>();

  async function prepare(input: ParsedInput<'doctor.diagnose'>): Promise<PlainQuestion> {
    const { body, signature, publicKeyPem, keyId, claimedString, otherKeys = [], mostMs, known = [] } = input;
    // Refused here already, so that a body that cannot be signed costs no worker.
    readNamed(body, readStringToSign);
    const vaultKeys = await listKeys(deps);
    const given = await Promise.all(otherKeys.map((pem) => resolveKey({ publicKeyPem: pem })));
    const chosen = await resolveKey({ publicKeyPem, keyId });
    const { fingerprint } = chosen;
    const own = vaultKeys.find((entry) => entry.fingerprint === fingerprint);
    return {
      body,
      signature,
      key: own ?? toPlainKey(chosen, deps),
      otherKeys: [...given.map((one) => toPlainKey(one, deps)), ...vaultKeys].filter(
        (entry) => entry.fingerprint !== fingerprint,
      ),
      claimedString: claimedString === undefined || claimedString === '' ? null : claimedString,
      earlier: await deps.listEarlier(),
      known,
      kept: ((await deps.listSecrets?.()) ?? [])
        .filter(({ length }) => length >= SHORTEST_SECRET)
        .map((text) => ({ name: 'a secret of the vault', text })),
      ...(mostMs !== undefined && { mostMs, effort: mostMs / doctorLimits.usualMs }),
    };
  }

  return {
    handlers: {
      async 'doctor.diagnose'(input) {
        const state = { isCanceled: false };
        running.set(input.diagnosisId, state);
        try {
          const question = await prepare(input);
          if (state.isCanceled) throw canceled();
          const { diagnosisId } = input;
          return await worker.call('diagnose', { diagnosisId, question });
        } finally {
          running.delete(input.diagnosisId);
        }
      },
      async 'doctor.cancel'({ diagnosisId }) {
        const state = running.get(diagnosisId);
        if (state === undefined) return {};
        state.isCanceled = true;
        if (worker.isRunning()) await worker.call('cancel', { diagnosisId });
        return {};
      },
    },
    close: worker.close,
  };
}

function toPlainKey(
  { key, name, environment, fingerprint }: ResolvedPublicKey,
  deps: Pick<DoctorDeps, 'labelOf'>,
): PlainKey {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  return { pem, name, environment: nameOf(environment, deps), fingerprint };
}

async function listKeys(deps: Pick<DoctorDeps, 'keys' | 'labelOf'>): Promise<PlainKey[]> {
  return (await deps.keys.listPublicKeys()).map(({ publicKeyPem, name, environment, fingerprint }) => ({
    pem: publicKeyPem,
    name,
    environment: nameOf(environment, deps),
    fingerprint,
  }));
}

const nameOf = (environment: string | null, { labelOf }: Pick<DoctorDeps, 'labelOf'>): string | null =>
  environment === null ? null : labelOf(environment);
