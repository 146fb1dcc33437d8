import { toErrorReply } from '@shared/errors';
import { redactText } from '../../platform/redact';

/** A fault may quote what it failed on. */
const LONGEST = 500;

/** Says a fault of ours, or of the disk, where the operator looks: on standard error, without secrets and not at length. */
export function reportFailure(error: unknown): void {
  const { code, message } = toErrorReply(error);
  const said = code === 'app.replaced' ? message : error instanceof Error ? error.message : String(error);
  const text = redactText(said.slice(0, 100_000));
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  process.emitWarning(`Sandbox: ${shown}`, { code: 'SANDBOX_FAILURE' });
}
