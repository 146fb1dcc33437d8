import { z } from 'zod';
import { collectionId, nothing, operation, shownId } from './common';
import { methodsOf } from './define';

/** Paths are relative to the collection's folder, `/` between parts, never `..`. */
export const treeNode = z.object({
  path: z.string(),
  name: z.string(),
  /** `example`: an answer that is kept beside its request, which it stands behind. */
  kind: z.enum(['folder', 'request', 'example']),
  /** Depth first order is the order of `nodes`; depth 0 stands at the top. */
  depth: z.number(),
  method: z.string().nullable(),
  operation: operation.nullable(),
  /** What is wrong with the file, with its line; null when it reads well. */
  fault: z.object({ line: z.number(), message: z.string() }).nullable(),
  requestCount: z.number(),
});
export type TreeNode = z.infer<typeof treeNode>;

/** A folder of requests that is open. Several may be. */
export const openCollection = z.object({ id: shownId, name: z.string(), directory: z.string() });
export type OpenCollection = z.infer<typeof openCollection>;

const { read, write } = methodsOf('collections.*');

export const collectionMethods = {
  'collections.list': read({
    input: nothing,
    /** `activeId`: the one opened last; null where none is open. */
    output: z.object({
      collections: z.array(openCollection),
      activeId: shownId.nullable(),
      /** Not opened, because the last start did not get through them; `collections.open` opens them all the same. */
      heldBack: z.array(openCollection),
      /** Were open once and are not now, the latest first; whether they still stand there shows when they are opened. */
      recent: z.array(openCollection),
      /** What was done to their folders since the start without being asked for: an interrupted import, brought to its end. */
      notes: z.array(z.object({ collectionId: shownId, message: z.string() })),
    }),
  }),
  /** Opens a folder beside those that are open; one that was open before gets its id again. */
  'collections.open': write({ input: z.object({ directory: z.string() }), output: openCollection }),
  /** Makes a folder for a collection, as the starter is or empty, and opens it. */
  'collections.make': write({
    input: z.object({
      name: z.string().min(1).max(200),
      from: z.enum(['starter', 'empty']),
      /** The folder that it is made in; null: that of the data directory. */
      directory: z.string().nullable().default(null),
    }),
    output: openCollection,
  }),
  /** Asks for a folder with the system's own dialog; null: the user chose none. */
  'collections.chooseFolder': read({
    input: nothing,
    output: z.object({ directory: z.string().nullable() }),
    // A page in a browser has a field to type the path in.
    hosts: ['electron'],
  }),
  /** Folders whose path begins with what was typed; `~` is the user's own. Nothing but names of folders is read. */
  'collections.completeFolder': read({
    input: z.object({ text: z.string().max(4096) }),
    output: z.object({ folders: z.array(z.string()), isCut: z.boolean() }),
  }),
  /** Shows a file or folder in the system's file manager; an empty path is the collection's own folder. */
  'collections.reveal': write({
    input: z.object({ collectionId, path: z.string().max(4096).default('') }),
    output: nothing,
    hosts: ['electron'],
  }),
  /** Lists it no more; its folder stays as it is, and what is bound to it waits for its return. */
  'collections.close': write({ input: z.object({ collectionId }), output: nothing }),
  'collections.tree': read({
    input: z.object({ collectionId }),
    /** `orderFault`: why its `collection.json` cannot be read, with the line; everything stands by name then. Null: it can, or there is none. */
    output: z.object({
      ...openCollection.shape,
      nodes: z.array(treeNode),
      orderFault: z.string().nullable(),
    }),
  }),
};
