import { z } from 'zod';
import { paymentStates } from '../payments/tables/states';
import { namedValues } from './named-values';
import { setupLimits } from './setting-limits';

const fieldName = z.string().max(setupLimits.fieldName);
const certificates = z.string().max(setupLimits.certificates);

/** What the interface leaves open about the service, as this environment has it. */
export const serviceProfile = z.object({
  /** Path of the token call, on the environment's own host. */
  tokenPath: z.string().max(setupLimits.tokenPath),
  /** Fields of the token call; an empty `product` is left out of it. */
  requestNames: z.object({ consumerKey: fieldName, consumerSecret: fieldName, product: fieldName }),
  /** Fields of its answer; dots lead into objects: `data.access_token`. */
  answerNames: z.object({ accessToken: fieldName, expiresIn: fieldName }),
  expiresInUnit: z.enum(['seconds', 'milliseconds']),
  /** One consumer key and secret for all products, or one for each. */
  credentials: z.enum(['shared', 'per_product']),
  /** States that webhooks report beside SUCCESS, FAILED and CANCELED, in capitals, and what each means. */
  webhookStates: namedValues(z.enum(paymentStates), z.string().max(setupLimits.stateName)),
});
export type ServiceProfile = z.infer<typeof serviceProfile>;

/** How an environment's service is reached and spoken to. The user's own word, never a collection's. */
export const environmentSetup = z.object({
  /** Which of the two path forms payments go by: the request's own, `/payments/v1/…` or `/payments/api/v1/…`. */
  pathForm: z.enum(['as_written', 'plain', 'api']),
  /** Empty: none. */
  proxyUrl: z.string().max(setupLimits.proxyUrl),
  proxyUser: z.string().max(setupLimits.proxyUser),
  /** Issuers that count beside the usual ones; empty: none. */
  ca: certificates,
  /** What this side proves itself with, leaf first; empty: nothing. Its key is in the vault. */
  clientCertificate: certificates,
  profile: serviceProfile,
});
export type EnvironmentSetup = z.infer<typeof environmentSetup>;

/** What of a connection is secret, and lies in the vault. */
export const connectionPart = z.enum(['proxyPassword', 'clientKey', 'clientKeyPassphrase']);
export type ConnectionPart = z.infer<typeof connectionPart>;

/** New values of secret parts: one that is left out stays, an empty one is removed. */
export const connectionSecrets = z.partialRecord(connectionPart, z.string().max(64 * 1024));
export type ConnectionSecrets = z.infer<typeof connectionSecrets>;
