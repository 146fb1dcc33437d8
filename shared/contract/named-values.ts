import { z } from 'zod';
import { isRecord } from '../json/is-record';
import { createRecord } from '../own-value';

const OFTEN_LOST = '__proto__';
/** Stands for it while the schema looks: as long, and no name that somebody types has a NUL. */
const STAND_IN = '\0_proto__';

function rename(given: unknown, from: string, to: string): unknown {
  if (!isRecord(given) || !Object.hasOwn(given, from)) return given;
  const renamed = createRecord<unknown>();
  for (const [name, value] of Object.entries(given)) renamed[name === from ? to : name] = value;
  return renamed;
}

/**
 * A record by names that somebody else chose. `z.record` leaves `__proto__` out without a word; this keeps it.
 *
 * @param name - of each member
 */
export function namedValues<V extends z.ZodType>(
  value: V,
  name: z.ZodString = z.string(),
): z.ZodType<Record<string, z.output<V>>, Record<string, z.input<V>>> {
  return (
    z
      // eslint-disable-next-line no-restricted-syntax -- it has the name by which it keeps it
      .preprocess((given) => rename(given, OFTEN_LOST, STAND_IN), z.record(name, value))
      .transform((read) => rename(read, STAND_IN, OFTEN_LOST)) as unknown as z.ZodType<
      Record<string, z.output<V>>,
      Record<string, z.input<V>>
    >
  );
}
