/** Members that are epoch milliseconds, by their names as answers have them. */
const instants = new Set([
  'at',
  'now',
  'final_at',
  'last_at',
  'started_at',
  'next_attempt_at',
  'time_received',
  'last_updated',
]);

/** Writes moments as ISO 8601 text: a reader of an answer does no arithmetic. */
export function showTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(showTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isInstant =
        typeof member === 'number' && instants.has(name) && Number.isFinite(new Date(member).getTime());
      return [name, isInstant ? new Date(member).toISOString() : showTimes(member)];
    }),
  );
}
