import { z } from 'zod';
import { environmentId, instant, nothing, product, shownId } from './common';
import { defineMethod } from './define';
import { namedValues } from './named-values';

export const vaultStatus = z.object({
  /** `locked`: needs its passphrase or the key that sealed it. `unreadable`: kept as it is, see `message`. */
  state: z.enum(['unlocked', 'locked', 'unreadable']),
  /** What seals the master key. */
  box: z.enum(['os_keychain', 'passphrase', 'key_file', 'memory']),
  /** A standing warning or what to do next; null when there is nothing to say. */
  message: z.string().nullable(),
  keyCount: z.number(),
});
export type VaultStatus = z.infer<typeof vaultStatus>;

export const keySummary = z.object({
  id: z.string(),
  name: z.string(),
  /** Environment the key is bound to; null: not bound. */
  environment: shownId.nullable(),
  bits: z.number(),
  exponent: z.number(),
  /** SHA-256 of the SPKI DER, 64 hex digits. */
  fingerprint: z.string(),
  publicKeyPem: z.string(),
  origin: z.enum(['generated', 'imported']),
  createdAt: instant,
  /** Sealed with another box or damaged: kept byte for byte, cannot be used now. */
  isLocked: z.boolean(),
});
export type KeySummary = z.infer<typeof keySummary>;

export const keyInspection = z.object({
  kind: z.enum(['private', 'public']),
  /** As found, in words: 'PKCS#8 PEM', 'PKCS#1 PEM', 'encrypted PKCS#8 PEM', 'SPKI PEM', 'DER' … */
  format: z.string(),
  bits: z.number(),
  exponent: z.number(),
  fingerprint: z.string(),
  publicKeyPem: z.string(),
  /** What was mended on reading ('line breaks restored', 'converted from PKCS#1'). */
  repairs: z.array(z.string()),
  /** Vault keys with the same fingerprint. */
  vaultKeyIds: z.array(z.string()),
  environments: z.array(z.string()),
});

export const tokenSummary = z.object({
  environment: shownId,
  product,
  /** First and last characters alone. */
  masked: z.string(),
  header: namedValues(z.unknown()),
  claims: namedValues(z.unknown()),
  issuedAt: instant.nullable(),
  expiresAt: instant.nullable(),
});

const keyErrors = ['keys.*', 'vault.*', 'environments.*'] as const;

export const vaultMethods = {
  'vault.status': defineMethod({ input: nothing, output: vaultStatus, errors: [], effect: 'read' }),
  'vault.unlock': defineMethod({
    input: z.object({ passphrase: z.string() }),
    output: vaultStatus,
    errors: ['vault.*'],
    effect: 'write',
  }),
  'vault.lock': defineMethod({ input: nothing, output: vaultStatus, errors: ['vault.*'], effect: 'write' }),
  'vault.setPassphrase': defineMethod({
    input: z.object({ current: z.string().nullable(), next: z.string().min(8) }),
    output: vaultStatus,
    errors: ['vault.*'],
    effect: 'write',
  }),
  'keys.list': defineMethod({
    input: nothing,
    output: z.object({ keys: z.array(keySummary) }),
    errors: keyErrors,
    effect: 'read',
  }),
  'keys.generate': defineMethod({
    input: z.object({
      name: z.string().min(1).max(80),
      bits: z.union([z.literal(2048), z.literal(3072), z.literal(4096)]).default(2048),
      environment: environmentId.nullable().default(null),
    }),
    output: keySummary,
    errors: keyErrors,
    effect: 'write',
  }),
  'keys.inspect': defineMethod({
    input: z.object({ text: z.string().max(200_000), passphrase: z.string().optional() }),
    output: keyInspection,
    errors: keyErrors,
    effect: 'read',
  }),
  'keys.import': defineMethod({
    input: z.object({
      name: z.string().min(1).max(80),
      text: z.string().max(200_000),
      passphrase: z.string().optional(),
      environment: environmentId.nullable().default(null),
    }),
    output: z.object({ key: keySummary, repairs: z.array(z.string()) }),
    errors: keyErrors,
    effect: 'write',
  }),
  'keys.update': defineMethod({
    input: z.object({
      id: z.string(),
      name: z.string().min(1).max(80).optional(),
      environment: environmentId.nullable().optional(),
    }),
    output: keySummary,
    errors: keyErrors,
    effect: 'write',
  }),
  'keys.delete': defineMethod({
    input: z.object({ id: z.string() }),
    output: nothing,
    errors: keyErrors,
    effect: 'write',
  }),
  'keys.checkPair': defineMethod({
    input: z.object({ id: z.string(), publicKeyText: z.string().max(200_000) }),
    output: z.object({ matches: z.boolean(), fingerprint: z.string() }),
    errors: keyErrors,
    effect: 'read',
  }),
  /** The private key as encrypted PKCS#8 PEM. Desktop and command line only. */
  'keys.exportPrivate': defineMethod({
    input: z.object({ id: z.string(), passphrase: z.string().min(8), confirmName: z.string() }),
    output: z.object({ encryptedPem: z.string() }),
    errors: keyErrors,
    effect: 'read',
    hosts: ['electron', 'cli'],
  }),
  'credentials.save': defineMethod({
    input: z.object({
      environment: environmentId,
      /** Null: for all products; see `profile.credentials` of the environment. */
      product: product.nullable().default(null),
      consumerKey: z.string().min(1),
      consumerSecret: z.string().min(1),
    }),
    output: nothing,
    errors: ['vault.*', 'environments.*'],
    effect: 'write',
  }),
  'credentials.list': defineMethod({
    input: nothing,
    output: z.object({
      credentials: z.array(
        z.object({
          environment: shownId,
          /** Null: for all products. */
          product: product.nullable(),
          consumerKeyMasked: z.string(),
          savedAt: instant,
          isLocked: z.boolean(),
        }),
      ),
    }),
    errors: ['vault.*'],
    effect: 'read',
  }),
  'credentials.delete': defineMethod({
    /** `product`: those for it alone, null: those for all products; left out: whatever is kept. */
    input: z.object({ environment: environmentId, product: product.nullable().optional() }),
    output: nothing,
    errors: ['vault.*'],
    effect: 'write',
  }),
  'tokens.list': defineMethod({
    input: nothing,
    output: z.object({ tokens: z.array(tokenSummary) }),
    errors: ['vault.*'],
    effect: 'read',
  }),
  /** Gives the cached token of the product, or fetches one; `isForced` fetches anyway. */
  'tokens.fetch': defineMethod({
    input: z.object({ environment: environmentId, product, isForced: z.boolean().default(false) }),
    output: tokenSummary,
    errors: ['tokens.*', 'vault.*', 'sending.*', 'environments.*'],
    effect: 'write',
  }),
  'tokens.forget': defineMethod({
    input: z.object({ environment: environmentId, product }),
    output: nothing,
    errors: ['vault.*'],
    effect: 'write',
  }),
  /** The whole token, because the user pressed 'show': the view hides it again after ten seconds. */
  'tokens.reveal': defineMethod({
    input: z.object({ environment: environmentId, product }),
    output: z.object({ token: z.string(), hideAfterMs: z.number() }),
    errors: ['tokens.*', 'vault.*'],
    effect: 'read',
  }),
};
