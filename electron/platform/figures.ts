/**
 * Loads what gathers figures of this program, those of Node itself among them: only where somebody asked for them.
 *
 * Labels take words of closed lists alone: each new word is a series that is kept for good, and a name of a user's, a
 * reference or a secret would be told to whoever reads figures.
 */
export async function createFigures() {
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    count: <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    /** Makes a measure that is taken when somebody asks for it. */
    measure(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    time: <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    readFigures: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Seconds. */
const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** Gives the label of a status: one of five words. */
export function classOf(httpStatus: number): string {
  return `${Math.floor(httpStatus / 100)}xx`;
}
