import type { KeyObject } from 'node:crypto';

/** A key that signs, as the vault hands it out inside the back end. */
export interface SigningKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the SPKI DER, 64 hex digits. */
  readonly fingerprint: string;
  readonly publicKeyPem: string;
  readonly privateKey: KeyObject;
}

/** The public half of a vault key. */
export interface VaultPublicKey {
  readonly id: string;
  readonly name: string;
  /** Environment it is bound to; null: not bound. */
  readonly environment: string | null;
  readonly fingerprint: string;
  readonly publicKeyPem: string;
}

/** What signing and the doctor need from the vault. */
export interface KeySource {
  /** @param overrideConfirmation - the environment's name as the user typed it, to sign with another environment's key */
  getSigningKey(environment: string, keyId?: string, overrideConfirmation?: string): Promise<SigningKey>;
  listPublicKeys(): Promise<readonly VaultPublicKey[]> | readonly VaultPublicKey[];
}
