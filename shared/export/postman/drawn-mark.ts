/**
 * Begins the description of a variable that the script of an export draws; what it was called here stands behind it.
 *
 * The import reads it to give the request its own expression back.
 */
export const DRAWN_MARK = 'Set by the script for each request: ';
