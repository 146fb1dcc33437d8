import { toClientError } from '../transport/client-error';

/** A production environment that nothing was sent to, as nobody said yes to it. */
export interface Unconfirmed {
  id: string;
  label: string;
  host: string;
}

/** Reads why the back end sent nothing; null: for another reason. It knows all environments, a window perhaps not yet. */
export function readUnconfirmed(error: unknown): Unconfirmed | null {
  const { code, details } = toClientError(error);
  if (code !== 'sending.not_confirmed') return null;
  const { environment, label, host } = details as { environment: string; label: string; host: string };
  return { id: environment, label, host };
}
