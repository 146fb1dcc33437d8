import { randomFillSync } from 'node:crypto';

const ID_BYTES = 8;
/** Asked for together: one call of the generator costs as much as all else that an id does. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

/** Makes the id of an exchange: `px_` and 64 random bits in hex. */
export function makeExchangeId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return `px_${pool.toString('hex', used - ID_BYTES, used)}`;
}
