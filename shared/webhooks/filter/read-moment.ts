const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a span of time such as `30s`, `10m`, `2h`, `7d`; null where the text is none. @returns milliseconds */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  return match === null ? null : Number(match[1]) * UNITS[match[2] ?? '']!;
}

/** Reads a moment as ISO 8601 writes it; a date alone is its first moment, without a zone in UTC. Null: it is none. */
export function readInstant(text: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(
    text,
  );
  if (match === null) return null;
  const at = Date.parse(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? 'Z'}`);
  return Number.isNaN(at) ? null : at;
}
