import { z } from 'zod';
import { exportFormatNames } from '../export/export-formats';
import { collectionId } from './common';
import { methodsOf } from './define';
import { namedValues } from './named-values';

/** Whose values stand in an export; secret ones never do. */
const exportEnvironment = z.object({
  name: z.string(),
  baseUrl: z.string(),
  variables: namedValues(z.string()),
  privateNames: z.array(z.string()).default([]),
});

export const exportNote = z.object({ where: z.string(), what: z.string() });

const { read } = methodsOf('collections.*');

export const exportMethods = {
  /** Writes a collection, a folder of it or one request in the form of another tool; nothing on the disk changes. */
  'collections.export': read({
    input: z.object({
      collectionId,
      /** Of a folder or a request file; empty: all of it. */
      path: z.string().max(4096).default(''),
      format: z.enum(exportFormatNames),
      environment: exportEnvironment.nullable().default(null),
    }),
    output: z.object({
      /** Of what was exported, for the name of the file. */
      name: z.string(),
      /** Paths with `/` between parts; one file for each format but those that are folders. */
      files: z.array(z.object({ path: z.string(), base64: z.string() })),
      requests: z.number(),
      /** What was left out or became something else. */
      notes: z.array(exportNote),
    }),
  }),
};
