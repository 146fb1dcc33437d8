import { z } from 'zod';
import { environmentId, lint, signedSpan } from './common';
import { methodsOf } from './define';

/** At most this many characters of body cross the bridge for signing, 8 MiB. */
const bodyText = z.string().max(8 * 1024 * 1024);

const { read } = methodsOf('signing.*', 'keys.*', 'vault.*', 'environments.*');

export const signingMethods = {
  /** Signs exactly these body bytes (UTF-8 of `body`). */
  'signing.sign': read({
    input: z.object({
      environment: environmentId,
      keyId: z.string().optional(),
      body: bodyText,
      /** The environment's name, typed by the user: signs with a key that belongs to another environment. */
      overrideConfirmation: z.string().optional(),
    }),
    output: z.object({
      stringToSign: z.string(),
      sizeBytes: z.number(),
      digestHex: z.string(),
      signature: z.string(),
      keyId: z.string(),
      keyName: z.string(),
      keyFingerprint: z.string(),
      spans: z.array(signedSpan),
      warnings: z.array(lint),
    }),
  }),
  'signing.verify': read({
    input: z.object({
      body: bodyText,
      signature: z.string().max(100_000),
      /** PEM text, or the id of a vault key. */
      publicKeyPem: z.string().max(200_000).optional(),
      keyId: z.string().optional(),
    }),
    output: z.object({ valid: z.boolean(), stringToSign: z.string(), reason: z.string() }),
    errors: ['signing.*', 'keys.*', 'vault.*'],
  }),
};
