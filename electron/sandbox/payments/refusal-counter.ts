/** References whose refusals are counted; the oldest is forgotten. */
const MOST_REFERENCES = 10_000;

/** Counts how often a reference was answered 429 by the outcome table. */
export class RefusalCounter {
  private readonly counts = new Map<string, number>();

  /** Counts one more. @returns how many there were, this one included */
  count(reference: string): number {
    const next = (this.counts.get(reference) ?? 0) + 1;
    this.counts.delete(reference);
    this.counts.set(reference, next);
    if (this.counts.size > MOST_REFERENCES) this.counts.delete(this.counts.keys().next().value ?? '');
    return next;
  }

  clear(): void {
    this.counts.clear();
  }
}
