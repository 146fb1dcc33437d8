/** A measured time without the digits that a clock makes up: milliseconds, to a microsecond. */
export const roundMs = (measuredMs: number): number => Math.round(measuredMs * 1000) / 1000;
