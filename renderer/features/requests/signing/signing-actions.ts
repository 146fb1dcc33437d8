import type { MethodInput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import type { RequestInsight } from '../editor/inspect-request';
import { readKeyInput } from './key-actions';
import { useRequestsStore, type KeyChoice, type SignaturePreview } from '../requests-store';

const waitMs = 180;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Names what a signature depends on: the string, and the key of the environment or the one chosen for the request. */
export function previewKey(
  insight: RequestInsight,
  environment: Environment | null,
  choice: KeyChoice | null,
): string | null {
  const text = insight.prepared?.inspection?.toSign?.text;
  return text === undefined || !environment
    ? null
    : `${environment.id}\n${environment.keyId ?? ''}\n${JSON.stringify(readKeyInput(choice, environment))}\n${text}`;
}

/** Gives the preview that belongs to what is shown; one for an earlier string is none. */
export function matchPreview(preview: SignaturePreview | null, key: string | null): SignaturePreview | null {
  return preview && preview.key === key ? preview : null;
}

/** Asks the back end for the signature a moment after the last change of the string to sign. */
export function requestSignature(
  insight: RequestInsight,
  environment: Environment | null,
  choice: KeyChoice | null,
): () => void {
  if (timer) clearTimeout(timer);
  const key = previewKey(insight, environment, choice);
  const body = insight.prepared?.body;
  if (key === null || !environment || typeof body !== 'string') return () => undefined;
  if (useRequestsStore.getState().preview?.key === key) return () => undefined;
  const input = { environment: environment.id, body, ...readKeyInput(choice, environment) };
  const started = setTimeout(() => void sign(key, input), waitMs);
  timer = started;
  return () => clearTimeout(started);
}

async function sign(key: string, input: MethodInput<'signing.sign'>): Promise<void> {
  try {
    const signed = await call('signing.sign', input);
    useRequestsStore.setState({ preview: { key, signed, error: null } });
  } catch (error) {
    useRequestsStore.setState({ preview: { key, signed: null, error: toClientError(error) } });
  }
}

/** Forgets the signature shown: the key may be another one now. */
export function forgetSignature(): void {
  useRequestsStore.setState({ preview: null });
}
