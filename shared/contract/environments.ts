import { z } from 'zod';
import { environmentId, nothing, shownId } from './common';
import { methodsOf } from './define';
import { longestEnvironmentId } from './environment-id';
import { connectionPart, connectionSecrets, environmentSetup } from './environment-setup';
import { namedValues } from './named-values';
import { products } from '../payments/tables/products';

/**
 * Where requests go. `local` is the embedded sandbox (its `baseUrl` follows the port it got); the others come from the
 * data directory (`data`), from the `http-client.env.json` of a collection (`collection`), or from the command line (`run`).
 */
export const environment = z.object({
  /** Stable and unique, see `formatEnvironmentId`; every method that takes an environment takes this. */
  id: shownId,
  /** As files and the command line call it; two sources may have the same. */
  name: z.string(),
  /** What the app shows: 'Local sandbox' for `local`, else the name, with its collection where two have the same. */
  label: z.string(),
  kind: z.enum(['local', 'sandbox', 'production']),
  baseUrl: z.string(),
  /**
   * Values for `{{name}}`; one that is secret by its name lies in the vault, and a reference (`{{vault.name}}`) stands
   * for it. `base_url` and `callback_url` are always there.
   */
  variables: namedValues(z.string()),
  source: z.enum(['builtin', 'data', 'collection', 'run']),
  /** Vault key that signs here; null: none bound yet. */
  keyId: z.string().nullable(),
  hasCredentials: z.boolean(),
  isActive: z.boolean(),
  /**
   * Its key, credentials and tokens are for another address than it has now (`from` null: for none that is known):
   * nothing is sent until they are bound to `to`. Null: they are for this one.
   */
  addressChange: z.object({ from: z.string().nullable(), to: z.string() }).nullable(),
  /** How its service is reached and spoken to. */
  setup: environmentSetup,
  /** What of its connection the vault has. */
  sealedParts: z.array(connectionPart),
  /**
   * Values set in the app for this run alone, before all others. One that is secret by its name stays in the back end,
   * and a reference (`{{vault.name}}`) stands for it.
   */
  session: namedValues(z.string()),
  /** Reference that was sent last, by product: `{{last_reference}}` in a request with the token of that product. */
  lastReferences: z.partialRecord(z.enum(products), z.string()).optional(),
  /** Variables that `$shared` of the collection's file gave. */
  sharedNames: z.array(z.string()).optional(),
  /** Variables that are secret by their name, which the user chose to keep in the clear. */
  inClear: z.array(z.string()).optional(),
  /** Variables of the collection's private file: masked wherever they are shown. */
  privateNames: z.array(z.string()).optional(),
  /** A standing remark on its address (not encrypted, not set); null or left out: none. */
  warning: z.string().nullable().optional(),
});
export type Environment = z.infer<typeof environment>;

/** One environment as the services use it: what its source says, without what the vault and the settings add. */
export type EnvironmentRecord = Omit<
  Environment,
  'keyId' | 'hasCredentials' | 'sealedParts' | 'isActive' | 'addressChange' | 'warning'
>;

const { read, write } = methodsOf('environments.*');

export const environmentMethods = {
  'environments.list': read({
    input: nothing,
    output: z.object({
      environments: z.array(environment),
      /** What cannot be read of files of environments, and of the settings; it stays as it is. `line`: 0 where none is known. */
      faults: z
        .array(
          z.object({
            collectionId: shownId,
            file: z.string(),
            line: z.number(),
            message: z.string(),
            /** Of a remark on a file that is sound: tells its versions apart. Whoever said it once need not say it again. */
            remarkOn: z.string().optional(),
          }),
        )
        .optional(),
      /** By collection: what `$shared` of its file gives to its requests, whichever environment is in use. */
      shared: z.array(z.object({ collectionId: shownId, variables: namedValues(z.string()) })).optional(),
    }),
  }),
  'environments.select': write({
    input: z.object({ id: environmentId }),
    output: environment,
    errors: ['environments.unknown'],
  }),
  'environments.save': write({
    input: z.object({
      /** Of the one that is changed; left out: a new one of the data directory. Another name gives it another id. */
      id: environmentId.optional(),
      /** A new one's is shorter; one of a collection's file is kept as long as it can be chosen. */
      name: z.string().min(1).max(longestEnvironmentId),
      kind: z.enum(['sandbox', 'production']),
      baseUrl: z.string(),
      /** One that is secret by its name is sealed in the vault; its reference leaves what is sealed there. */
      variables: namedValues(z.string()).default({}),
      /** Secret names that are to stand in the clear in the settings all the same: the user's own word. */
      inClear: z.array(z.string()).default([]),
    }),
    output: environment,
  }),
  /** Says how the service of an environment is reached and spoken to; of a collection's environment, too. */
  'environments.setUp': write({
    input: z.object({ id: environmentId, setup: environmentSetup, secrets: connectionSecrets.default({}) }),
    output: environment,
    errors: ['environments.*', 'vault.*'],
  }),
  /** Sets a value for this run alone; null takes it back. */
  'environments.setSessionValue': write({
    input: z.object({
      id: environmentId,
      name: z.string().min(1).max(300),
      value: z
        .string()
        .max(64 * 1024)
        .nullable(),
    }),
    output: environment,
  }),
  /**
   * Binds what is kept for an environment to the address that it has now. The user's word is needed, for production and
   * where the address was not known its name typed.
   */
  'environments.bindAddress': write({
    input: z.object({
      id: environmentId,
      /** As it was shown to the user; another one by now is refused. */
      address: z.string().max(5000),
      confirmation: z.string().max(5000).optional(),
    }),
    output: environment,
  }),
  /** Shows one value of the vault; the view hides it again after `hideAfterMs`. */
  'environments.revealVariable': read({
    input: z.object({ id: environmentId, name: z.string().max(300) }),
    output: z.object({ value: z.string(), hideAfterMs: z.number() }),
    errors: ['environments.*', 'vault.*'],
  }),
  'environments.delete': write({ input: z.object({ id: environmentId }), output: nothing }),
};
