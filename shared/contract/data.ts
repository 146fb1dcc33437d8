import { z } from 'zod';
import { nothing } from './common';
import { methodsOf } from './define';

const path = z.string().min(1).max(4096);

/** A change of the data folder that is made at the next start; null: none waits. */
const pendingChange = z
  .object({
    kind: z.enum(['restore', 'reset', 'move']),
    /** The backup that is restored, the folder that is moved to; null: neither. */
    from: z.string().nullable(),
    to: z.string().nullable(),
  })
  .nullable();

export const dataOverview = z.object({
  directory: z.string(),
  pending: pendingChange,
  /** Folders in it that a restore or a reset has put aside. */
  aside: z.array(z.string()),
  /** Where the secrets of a backup can be opened. */
  secretsNote: z.string(),
});
export type DataOverview = z.infer<typeof dataOverview>;

const backupFacts = z.object({
  file: z.string(),
  sizeBytes: z.number(),
  fileCount: z.number(),
  madeAt: z.string(),
  madeOn: z.string(),
  appVersion: z.string(),
  secretsNote: z.string(),
  /** Of a restore: settings that were not taken over, because they say where secrets and webhooks go. */
  leftOut: z.array(z.string()).default([]),
});
export type BackupFacts = z.infer<typeof backupFacts>;

const { read, write } = methodsOf('data.*');

export const dataMethods = {
  'data.overview': read({ input: nothing, output: dataOverview }),
  /** Writes all that is the user's into one file that is not there yet. */
  'data.backup': write({ input: z.object({ file: path }), output: backupFacts }),
  /** Checks a backup and has it put in at the next start; what is there now is put aside then. */
  'data.restore': write({
    input: z.object({ file: path }),
    output: backupFacts,
    errors: ['data.*', 'vault.*'],
  }),
  /** Has the data folder moved to an empty one at the next start. */
  'data.move': write({ input: z.object({ to: path }), output: dataOverview }),
  /** Has everything put aside at the next start; `word`: that of `reset-word.ts`. */
  'data.reset': write({ input: z.object({ word: z.string().max(100) }), output: dataOverview }),
  /** Forgets the change that waits. */
  'data.keep': write({ input: nothing, output: dataOverview }),
};
