/** Reads a whole number from `least` to `most` as it was typed; null: it is none. */
export function readWhole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
