import type { SecureContext } from 'node:tls';
import { toErrorReply } from '@shared/errors';
import { isLoopback, readTarget } from '../../platform/http/call-target';
import { expectListening } from '../../platform/http/connect-to';
import type { CapturedExchange } from './captured-exchange';

/** A target that is gone is looked for so often: one on this machine, and any other. */
const PAUSES_MS = { own: 2000, other: 30_000 };
const TIMEOUT_MS = 5000;

/**
 * Knows whether the target of a proxy can be reached: by what passes, and, once it could not be, by looking again.
 *
 * A target that answers is never called but for what passes.
 */
export class TargetWatch {
  #fault: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /**
   * @param onChange - told why it cannot be reached; null: it can be again
   * @param tls - own issuers and client certificate
   */
  constructor(
    private readonly target: URL,
    private readonly onChange: (fault: string | null) => void,
    private readonly tls: { secureContext?: SecureContext } = {},
  ) {
    void this.#look();
  }

  /** Takes note of what passed. */
  note({ answer, ownStatus, fault }: CapturedExchange): void {
    if (answer !== null) this.#set(null);
    else if (ownStatus === 502) this.#set(fault);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#timer = null;
    const fault = await expectListening(this.target, TIMEOUT_MS, this.tls).then(
      () => null,
      (error: unknown) => toErrorReply(error).message,
    );
    this.#set(fault);
  }

  #set(fault: string | null): void {
    if (this.#isClosed) return;
    if (fault !== this.#fault) this.onChange((this.#fault = fault));
    if (fault === null) return;
    const pauseMs = isLoopback(readTarget(this.target)) ? PAUSES_MS.own : PAUSES_MS.other;
    this.#timer ??= setTimeout(() => void this.#look(), pauseMs).unref();
  }
}
