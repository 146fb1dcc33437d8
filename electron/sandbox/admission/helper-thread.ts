import type { KeyObject } from 'node:crypto';
import type { SignatureHelper } from './signature-helper';
import type { SignatureRingBuffer } from './signature-ring-buffer';

/** A key that signatures are checked against. */
export interface CheckedKey {
  readonly key: KeyObject;
  readonly pem: string;
}

/** Keeps a second thread for the keys that count: started when it is first needed, and anew where the keys changed. */
export class HelperThread {
  private helper: SignatureHelper | null = null;
  private keys: readonly CheckedKey[] = [];
  private isStarting = false;
  private canHelp = true;

  /** @param file - built entry of the thread; where it cannot be started there is no help */
  constructor(private readonly file: URL) {}

  /** Gives where signatures are put up for it; null while there is no thread. */
  findRingBuffer(keys: readonly CheckedKey[]): SignatureRingBuffer | null {
    if (this.keys !== keys) this.end();
    if (this.helper === null && this.canHelp && !this.isStarting) {
      this.isStarting = true;
      void this.start(keys)
        .catch(() => (this.canHelp = false))
        .finally(() => (this.isStarting = false));
    }
    return this.helper?.ringBuffer ?? null;
  }

  /** Ends the thread for good. */
  stop(): void {
    this.canHelp = false;
    this.end();
  }

  /** Loaded when first needed: it is no part of a sandbox's start. */
  private async start(keys: readonly CheckedKey[]): Promise<void> {
    const { startSignatureHelper } = await import('./signature-helper');
    if (!this.canHelp) return;
    const pems = keys.map(({ pem }) => pem);
    const started = startSignatureHelper(this.file, pems, (failure) => {
      if (failure !== null) this.canHelp = false;
      if (this.helper === started) this.helper = null;
    });
    this.helper = started;
    this.keys = keys;
  }

  private end(): void {
    this.helper?.stop();
    this.helper = null;
  }
}
