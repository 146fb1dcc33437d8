/**
 * Looks a name that somebody else chose up in a record.
 *
 * `constructor` and `toString` are on every object; they are a value only where the record has them itself.
 */
export function ownValue<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** An empty record for names that somebody else chose: `__proto__` is one like any other in it, and nothing is there before. */
export function createRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
