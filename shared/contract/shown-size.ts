/** A screen gets this much of a body (bytes or characters): more would hold its window up, and nobody reads it there. */
export const shownBodySize = 256 * 1024;
