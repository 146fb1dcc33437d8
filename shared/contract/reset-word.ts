/** What a person types before everything is put aside; no schema stands here: the window loads none. */
export const RESET_WORD = 'reset';
