import { afterAll, beforeAll } from 'vitest';

/** Has the tests of a `describe` run where the clock is that of a zone, such as `Europe/Berlin`. */
export function withTimeZone(zone: string): void {
  let before: string | undefined;
  beforeAll(() => {
    before = process.env['TZ'];
    process.env['TZ'] = zone;
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
}
