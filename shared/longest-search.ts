/** Characters that a list is searched for at most. */
export const LONGEST_SEARCH = 500;
