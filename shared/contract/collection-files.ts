import { z } from 'zod';
import { collectionId, instant, nothing, shownId } from './common';
import { methodsOf } from './define';

const collectionErrors = ['collections.*'] as const;
const { read, write } = methodsOf(...collectionErrors);

/** What goes where; an empty folder is the collection's own. */
const transfer = z.object({
  collectionId,
  path: z.string().max(4096),
  toCollectionId: collectionId,
  toFolder: z.string().max(4096).default(''),
});

const transferred = z.object({
  path: z.string(),
  /** Of what came from another collection: files that bodies name across the two, as they write them, and requests that stayed and do so. */
  leftBodies: z.object({ bodies: z.array(z.string()), requests: z.array(z.string()) }).optional(),
});

/** Names what was deleted, in the trash. */
const trashId = z.string().max(100);

/** Names a search while it is under way. */
const searchId = z.string().min(1).max(100);

/** What can be done with the files and folders of an open collection. */
export const collectionFileMethods = {
  'collections.read': read({
    input: z.object({ collectionId, path: z.string() }),
    output: z.object({ path: z.string(), text: z.string(), version: z.string() }),
  }),
  /** Bytes of a file that stands in a request's body (`< file`), from the collection's own folder alone. */
  'collections.readBodyFile': read({
    input: z.object({ collectionId, path: z.string(), file: z.string().max(1000) }),
    output: z.object({ base64: z.string() }),
  }),
  /** Replaces a file whole. `version` is that of the text edited; another one on disk is a conflict, nothing is lost. */
  'collections.write': write({
    input: z.object({
      collectionId,
      path: z.string(),
      text: z.string().max(16 * 1024 * 1024),
      version: z.string().nullable(),
    }),
    output: z.object({ path: z.string(), version: z.string() }),
    errors: ['collections.conflict', ...collectionErrors],
  }),
  'collections.create': write({
    input: z.object({
      collectionId,
      folder: z.string().default(''),
      name: z.string().min(1).max(200),
      kind: z.enum(['request', 'folder']),
      text: z.string().optional(),
    }),
    output: z.object({ path: z.string() }),
  }),
  'collections.rename': write({
    input: z.object({ collectionId, path: z.string(), name: z.string().min(1).max(200) }),
    output: z.object({ path: z.string() }),
  }),
  /** Moves a file or folder with all in it, also to another collection; nothing that stands there is replaced. */
  'collections.move': write({ input: transfer, output: transferred }),
  /** Copies likewise; where the name is taken the copy gets another. */
  'collections.copy': write({ input: transfer, output: transferred }),
  /** Moves it to the trash of the data directory, which keeps it for 30 days. */
  'collections.delete': write({
    input: z.object({ collectionId, path: z.string() }),
    output: z.object({ trashId: shownId }),
  }),
  'collections.trash': read({
    input: nothing,
    /** The latest first. */
    output: z.object({
      entries: z.array(
        z.object({
          trashId: shownId,
          collectionId: shownId,
          collectionName: z.string(),
          path: z.string(),
          deletedAt: instant,
        }),
      ),
    }),
  }),
  /** Puts it back where it was, under another name where its own is taken meanwhile. */
  'collections.restore': write({
    input: z.object({ trashId }),
    output: z.object({ collectionId: shownId, path: z.string() }),
  }),
  /** Branch, and files that git does not have as they stand; read without running git. No branch: no repository. */
  'collections.git': read({
    input: z.object({ collectionId }),
    output: z.object({
      branch: z.string().nullable(),
      /** `changed`: since it was committed or staged. */
      files: z.array(z.object({ path: z.string(), state: z.enum(['new', 'changed']) })),
    }),
  }),
  /** Finds requests of all open collections by what their files hold. A search with the id of one under way ends that one. */
  'collections.search': read({
    input: z.object({
      searchId,
      text: z.string().min(1).max(200),
      limit: z.number().int().min(1).max(500).default(200),
    }),
    output: z.object({
      hits: z.array(
        z.object({
          collectionId: shownId,
          path: z.string(),
          name: z.string(),
          place: z.enum(['name', 'url', 'header', 'body', 'comment']),
          /** Of the file, from 1. */
          line: z.number(),
          requestIndex: z.number(),
          /** In the body, in UTF-16 units; null where it is not in it. */
          bodyRange: z.object({ start: z.number(), end: z.number() }).nullable(),
          excerpt: z.string(),
          /** Where in the excerpt it was found. */
          start: z.number(),
          length: z.number(),
        }),
      ),
      searched: z.number(),
      /** There may be more: enough was found, it took too long, or it was ended. */
      isCut: z.boolean(),
    }),
  }),
  'collections.cancelSearch': read({ input: z.object({ searchId }), output: nothing }),
};
