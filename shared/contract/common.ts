import { z } from 'zod';
import { longestEnvironmentId } from './environment-id';
import { products } from '../payments/tables/products';

export const product = z.enum(products);

/** What a request does. `other` is any request that the interface does not name. */
export const operation = z.enum([
  'remittance',
  'payout',
  'collection',
  'status',
  'balances',
  'token',
  'send_test',
  'other',
]);
export type Operation = z.infer<typeof operation>;

/**
 * What names something in an answer. A limit is for what comes in: here it would turn a list away whole for one entry that was
 * kept before the limit, or came from a file.
 */
export const shownId = z.string();

/** Names an open collection: short and random, kept in the data directory beside the folder's path. */
export const collectionId = z.string().min(1).max(40);

/** Names an environment by where it is kept and its name; see `formatEnvironmentId`. */
export const environmentId = z.string().max(longestEnvironmentId);

/** Which request of which collection. Titles are for people: two requests may share one. */
export const requestIdentity = z.object({
  collectionId,
  /** Of its file, relative to the collection's folder, `/` between parts. */
  path: z.string().max(4096),
  /** Of its block in the file; see `identifyBlock`. */
  block: z.string().max(1000),
});
/** The same to ask by: null stands for all blocks of the file. Where it has one, that may have had other names. */
export const askedIdentity = requestIdentity.extend({ block: requestIdentity.shape.block.nullable() });
export type AskedIdentity = z.infer<typeof askedIdentity>;
/** The same in an answer. */
export const shownIdentity = z.object({ collectionId: shownId, path: z.string(), block: z.string() });
export type RequestIdentity = z.infer<typeof requestIdentity>;

/** Epoch milliseconds, UTC. */
export const instant = z.number();
export const nothing = z.object({});

/** Header name and value, in the order sent; names may repeat. */
export const headerList = z.array(z.tuple([z.string(), z.string()]));
export type HeaderList = z.infer<typeof headerList>;

/** The four signed fields, by the name of their place in the string to sign. */
export const signedField = z.enum(['reference', 'amount', 'country', 'service_code']);
export type SignedFieldName = z.infer<typeof signedField>;

/** One of the four values in the string to sign: offsets in UTF-16 units of the string and of the body text. */
export const signedSpan = z.object({
  field: signedField,
  pointer: z.string(),
  start: z.number(),
  end: z.number(),
  bodyStart: z.number(),
  bodyEnd: z.number(),
});

export const lint = z.object({
  code: z.string(),
  message: z.string(),
  pointer: z.string().nullable(),
});

/** A wallet as the service tells of it: amounts as text, exactly as it wrote them. */
export const wallet = z.object({
  currency: z.string(),
  actualBalance: z.string(),
  availableBalance: z.string(),
  alertLimit: z.string().nullable(),
  status: z.string(),
});
