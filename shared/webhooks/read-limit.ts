/** Bodies longer than this are kept but not read for fields: a reference, a status, an amount. */
export const MOST_READ_BYTES = 1024 * 1024;
