import { z } from 'zod';
import { nothing } from './common';
import { defineMethod } from './define';

/**
 * Where requests go. `local` is the embedded sandbox (its `baseUrl` follows the port it got); the others
 * come from the data directory (`data`) or from the collection's `http-client.env.json` (`collection`).
 */
export const environment = z.object({
  /** The name is the id: files and the command line use it. The embedded sandbox is `local`. */
  name: z.string(),
  /** What the app shows: 'Local sandbox' for `local`, else the name. */
  label: z.string(),
  kind: z.enum(['local', 'sandbox', 'production']),
  baseUrl: z.string(),
  /** Non-secret values for `{{name}}`. `base_url` and `callback_url` are always there. */
  variables: z.record(z.string(), z.string()),
  source: z.enum(['builtin', 'data', 'collection']),
  /** Vault key that signs here; null: none bound yet. */
  keyId: z.string().nullable(),
  hasCredentials: z.boolean(),
  isActive: z.boolean(),
  /** A standing remark on its address (not encrypted, not set); null or left out: none. */
  warning: z.string().nullable().optional(),
});
export type Environment = z.infer<typeof environment>;

export const environmentMethods = {
  'environments.list': defineMethod({
    input: nothing,
    output: z.object({
      environments: z.array(environment),
      /** Environment files of the collection that cannot be read; they stay as they are. */
      faults: z.array(z.object({ file: z.string(), line: z.number(), message: z.string() })).optional(),
    }),
    errors: ['environments.*'],
    effect: 'read',
  }),
  'environments.select': defineMethod({
    input: z.object({ name: z.string() }),
    output: environment,
    errors: ['environments.unknown'],
    effect: 'write',
  }),
  'environments.save': defineMethod({
    input: z.object({
      name: z.string().min(1).max(80),
      /** Name before a rename; left out for a new one or an edit. */
      previousName: z.string().optional(),
      kind: z.enum(['sandbox', 'production']),
      baseUrl: z.string(),
      variables: z.record(z.string(), z.string()).default({}),
    }),
    output: environment,
    errors: ['environments.*'],
    effect: 'write',
  }),
  'environments.delete': defineMethod({
    input: z.object({ name: z.string() }),
    output: nothing,
    errors: ['environments.*'],
    effect: 'write',
  }),
};
