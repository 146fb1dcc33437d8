import { z } from 'zod';
import { importFormatNames } from '../import/import-formats';
import { maxImportBytes } from '../import/max-import-bytes';
import { collectionId, shownId } from './common';
import { methodsOf } from './define';

const importSource = z.discriminatedUnion('kind', [
  /** Pasted or dropped; `name` is for people, and tells the format where only a file's name does. */
  z.object({ kind: z.literal('text'), name: z.string().max(300), text: z.string().max(maxImportBytes) }),
  /** A file or folder of this machine. */
  z.object({ kind: z.literal('path'), path: z.string().max(4096) }),
  /** A folder that was dropped: paths relative to it. */
  z.object({
    kind: z.literal('files'),
    name: z.string().max(300),
    files: z
      .array(z.object({ path: z.string().max(4096), text: z.string().max(maxImportBytes) }))
      .max(20_000),
  }),
]);

const importTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('collection'), collectionId }),
  /** A new collection in the data directory, which is open afterwards. */
  z.object({ kind: z.literal('new'), name: z.string().min(1).max(200) }),
  /** A folder by its whole path; made where absent. */
  z.object({ kind: z.literal('directory'), directory: z.string().max(4096) }),
]);

const { write } = methodsOf('import.*', 'collections.*');

export const importMethods = {
  /**
   * Imports a file or folder of another tool: all of it is written, or nothing.
   *
   * Credentials go to the vault where one is open, and are dropped where none is; a note says which.
   */
  'imports.run': write({
    input: z.object({
      source: importSource,
      format: z.enum(['auto', ...importFormatNames]).default('auto'),
      target: importTarget,
      /** Tells what would be made, and writes nothing. */
      isPreview: z.boolean().default(false),
      /**
       * `addresses` of what the user imports into the same collection together with it, and before it: a preview does not find them
       * there yet, and secrets that nothing else tells an address of are for them.
       */
      before: z.array(z.string().max(maxImportBytes)).max(2).optional(),
    }),
    output: z.object({
      format: z.enum(importFormatNames),
      /** Of the collection, as its own tool calls it; null: it has no name. */
      name: z.string().nullable(),
      requests: z.number(),
      folders: z.number(),
      /** In the collection's file. */
      environments: z.number(),
      /** Environments of the user's own that take credentials into the vault. */
      ownEnvironments: z.array(z.string()),
      /** Relative to the target, `/` between parts. */
      files: z.array(z.string()),
      /** `base_url` of its environments, two at most: with several, what joins them gets none. */
      addresses: z.array(z.string()),
      /** The collection that has them now; null: none that is open, or it was a preview. */
      collectionId: shownId.nullable(),
      notes: z.array(z.object({ where: z.string(), what: z.string() })),
    }),
  }),
};
