import { z } from 'zod';
import { environmentId, instant, nothing, product, shownId } from './common';
import { methodsOf } from './define';
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

const { read, write } = methodsOf('keys.*', 'vault.*', 'environments.*');

export const vaultMethods = {
  'vault.status': read({ input: nothing, output: vaultStatus, errors: [] }),
  'vault.unlock': write({
    input: z.object({ passphrase: z.string() }),
    output: vaultStatus,
    errors: ['vault.*'],
  }),
  'vault.lock': write({ input: nothing, output: vaultStatus, errors: ['vault.*'] }),
  'vault.setPassphrase': write({
    input: z.object({ current: z.string().nullable(), next: z.string().min(8) }),
    output: vaultStatus,
    errors: ['vault.*'],
  }),
  'keys.list': read({ input: nothing, output: z.object({ keys: z.array(keySummary) }) }),
  'keys.generate': write({
    input: z.object({
      name: z.string().min(1).max(80),
      bits: z.union([z.literal(2048), z.literal(3072), z.literal(4096)]).default(2048),
      environment: environmentId.nullable().default(null),
    }),
    output: keySummary,
  }),
  'keys.inspect': read({
    input: z.object({ text: z.string().max(200_000), passphrase: z.string().optional() }),
    output: keyInspection,
  }),
  'keys.import': write({
    input: z.object({
      name: z.string().min(1).max(80),
      text: z.string().max(200_000),
      passphrase: z.string().optional(),
      environment: environmentId.nullable().default(null),
    }),
    output: z.object({ key: keySummary, repairs: z.array(z.string()) }),
  }),
  'keys.update': write({
    input: z.object({
      id: z.string(),
      name: z.string().min(1).max(80).optional(),
      environment: environmentId.nullable().optional(),
    }),
    output: keySummary,
  }),
  'keys.delete': write({ input: z.object({ id: z.string() }), output: nothing }),
  'keys.checkPair': read({
    input: z.object({ id: z.string(), publicKeyText: z.string().max(200_000) }),
    output: z.object({ matches: z.boolean(), fingerprint: z.string() }),
  }),
  /** The private key as encrypted PKCS#8 PEM. Desktop and command line only. */
  'keys.exportPrivate': read({
    input: z.object({ id: z.string(), passphrase: z.string().min(8), confirmName: z.string() }),
    output: z.object({ encryptedPem: z.string() }),
    hosts: ['electron', 'cli'],
  }),
  'credentials.save': write({
    input: z.object({
      environment: environmentId,
      /** Null: for all products; see `profile.credentials` of the environment. */
      product: product.nullable().default(null),
      consumerKey: z.string().min(1),
      consumerSecret: z.string().min(1),
    }),
    output: nothing,
    errors: ['vault.*', 'environments.*'],
  }),
  'credentials.list': read({
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
  }),
  'credentials.delete': write({
    /** `product`: those for it alone, null: those for all products; left out: whatever is kept. */
    input: z.object({ environment: environmentId, product: product.nullable().optional() }),
    output: nothing,
    errors: ['vault.*'],
  }),
  'tokens.list': read({
    input: nothing,
    output: z.object({ tokens: z.array(tokenSummary) }),
    errors: ['vault.*'],
  }),
  /** Gives the cached token of the product, or fetches one; `isForced` fetches anyway. */
  'tokens.fetch': write({
    input: z.object({ environment: environmentId, product, isForced: z.boolean().default(false) }),
    output: tokenSummary,
    errors: ['tokens.*', 'vault.*', 'sending.*', 'environments.*'],
  }),
  'tokens.forget': write({
    input: z.object({ environment: environmentId, product }),
    output: nothing,
    errors: ['vault.*'],
  }),
  /** The whole token, because the user pressed 'show': the view hides it again after ten seconds. */
  'tokens.reveal': read({
    input: z.object({ environment: environmentId, product }),
    output: z.object({ token: z.string(), hideAfterMs: z.number() }),
    errors: ['tokens.*', 'vault.*'],
  }),
};
