/** Set by `npm test -- --thorough`: every random suite with as many cases as a release is measured by. */
export const isThorough = process.env['COUNTERSIGN_TEST_THOROUGH'] === '1';

/** Malformed calls over HTTP and over IPC each; `COUNTERSIGN_MALFORMED_CALLS` says another number. */
export const countMalformedCalls = (daily: number): number =>
  Number(process.env['COUNTERSIGN_MALFORMED_CALLS'] ?? casesOf(daily, 50_000));

/**
 * How many cases a random suite tries. The daily run has to be over while people wait for it.
 *
 * @param daily - cases of `npm test`
 * @param thorough - cases of `npm test -- --thorough`
 */
export const casesOf = (daily: number, thorough: number): number => (isThorough ? thorough : daily);
