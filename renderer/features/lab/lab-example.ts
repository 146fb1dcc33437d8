import { localEnvironmentId } from '@shared/contract/environment-id';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { GetLab, SetLab } from './lab-state';

const sent = `{
  "transaction": {
    "reference": "INV-2026-0042",
    "amount": 1500.00,
    "service_code": "MPESA-KE"
  },
  "originator": {
    "country": "KE"
  }
}`;

/** Signs what a client signs that writes its numbers anew, and asks the doctor about the body as it was sent. */
export async function tryExample(set: SetLab, get: GetLab): Promise<void> {
  try {
    // Its key is there, whatever key the active environment has, and signs nothing that counts elsewhere.
    const { signature, keyId } = await call('signing.sign', {
      environment: localEnvironmentId,
      body: sent.replace('1500.00', '1500'),
    });
    set({
      body: sent,
      signature,
      key: { kind: 'vault', id: keyId },
      origin: 'an example',
      claimedString: '',
    });
    await get().diagnose();
  } catch (error) {
    set({ error: toClientError(error) });
  }
}
