import { z } from 'zod';
import { collectionId, nothing, operation } from './common';
import { defineMethod } from './define';

/** Paths are relative to the collection's folder, `/` between parts, never `..`. */
export const treeNode = z.object({
  path: z.string(),
  name: z.string(),
  kind: z.enum(['folder', 'request']),
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
export const openCollection = z.object({ id: collectionId, name: z.string(), directory: z.string() });
export type OpenCollection = z.infer<typeof openCollection>;

const collectionErrors = ['collections.*'] as const;

export const collectionMethods = {
  'collections.list': defineMethod({
    input: nothing,
    /** `activeId`: the one opened last; null where none is open. */
    output: z.object({
      collections: z.array(openCollection),
      activeId: collectionId.nullable(),
      /** Not opened, because the last start did not get through them; `collections.open` opens them all the same. */
      heldBack: z.array(openCollection),
    }),
    errors: collectionErrors,
    effect: 'read',
  }),
  /** Opens a folder beside those that are open; one that was open before gets its id again. */
  'collections.open': defineMethod({
    input: z.object({ directory: z.string() }),
    output: openCollection,
    errors: collectionErrors,
    effect: 'write',
  }),
  /** Lists it no more; its folder stays as it is, and what is bound to it waits for its return. */
  'collections.close': defineMethod({
    input: z.object({ collectionId }),
    output: nothing,
    errors: collectionErrors,
    effect: 'write',
  }),
  'collections.tree': defineMethod({
    input: z.object({ collectionId }),
    output: z.object({ ...openCollection.shape, nodes: z.array(treeNode) }),
    errors: collectionErrors,
    effect: 'read',
  }),
  'collections.read': defineMethod({
    input: z.object({ collectionId, path: z.string() }),
    output: z.object({ path: z.string(), text: z.string(), version: z.string() }),
    errors: collectionErrors,
    effect: 'read',
  }),
  /** Bytes of a file that stands in a request's body (`< file`), from the collection's own folder alone. */
  'collections.readBodyFile': defineMethod({
    input: z.object({ collectionId, path: z.string(), file: z.string().max(1000) }),
    output: z.object({ base64: z.string() }),
    errors: collectionErrors,
    effect: 'read',
  }),
  /** Replaces a file whole. `version` is that of the text edited; another one on disk is a conflict, nothing is lost. */
  'collections.write': defineMethod({
    input: z.object({
      collectionId,
      path: z.string(),
      text: z.string().max(16 * 1024 * 1024),
      version: z.string().nullable(),
    }),
    output: z.object({ path: z.string(), version: z.string() }),
    errors: ['collections.conflict', ...collectionErrors],
    effect: 'write',
  }),
  'collections.create': defineMethod({
    input: z.object({
      collectionId,
      folder: z.string().default(''),
      name: z.string().min(1).max(200),
      kind: z.enum(['request', 'folder']),
      text: z.string().optional(),
    }),
    output: z.object({ path: z.string() }),
    errors: collectionErrors,
    effect: 'write',
  }),
  'collections.rename': defineMethod({
    input: z.object({ collectionId, path: z.string(), name: z.string().min(1).max(200) }),
    output: z.object({ path: z.string() }),
    errors: collectionErrors,
    effect: 'write',
  }),
  'collections.delete': defineMethod({
    input: z.object({ collectionId, path: z.string() }),
    output: nothing,
    errors: collectionErrors,
    effect: 'write',
  }),
};
