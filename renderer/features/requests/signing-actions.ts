import type { Environment } from '@shared/contract/environments';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { RequestInsight } from './inspect-request';
import { useRequestsStore, type SignaturePreview } from './requests-store';

const waitMs = 180;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Names what a signature depends on: the string, and the key of the environment. */
export function previewKey(insight: RequestInsight, environment: Environment | null): string | null {
  const text = insight.inspection?.toSign?.text;
  return text === undefined || !environment
    ? null
    : `${environment.name}\n${environment.keyId ?? ''}\n${text}`;
}

/** Gives the preview that belongs to what is shown; one for an earlier string is none. */
export function matchPreview(preview: SignaturePreview | null, key: string | null): SignaturePreview | null {
  return preview && preview.key === key ? preview : null;
}

/** Asks the back end for the signature a moment after the last change of the string to sign. */
export function requestSignature(insight: RequestInsight, environment: Environment | null): () => void {
  if (timer) clearTimeout(timer);
  const key = previewKey(insight, environment);
  const body = insight.resolved?.body;
  if (key === null || !environment || typeof body !== 'string') return () => undefined;
  if (useRequestsStore.getState().preview?.key === key) return () => undefined;
  const started = setTimeout(() => void sign(key, environment.name, body), waitMs);
  timer = started;
  return () => clearTimeout(started);
}

async function sign(key: string, environment: string, body: string): Promise<void> {
  try {
    const signed = await call('signing.sign', { environment, body });
    useRequestsStore.setState({ preview: { key, signed, error: null } });
  } catch (error) {
    useRequestsStore.setState({ preview: { key, signed: null, error: toClientError(error) } });
  }
}

/** Forgets the signature shown: the key may be another one now. */
export function forgetSignature(): void {
  useRequestsStore.setState({ preview: null });
}
