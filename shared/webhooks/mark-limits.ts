/** Of a note at a webhook, in characters. */
export const LONGEST_NOTE = 2000;
/** Of one webhook. */
export const MOST_TAGS = 20;
/** A tag: one word. */
export const tagPattern = /^[^\s]{1,40}$/u;
