import { it } from 'vitest';
import { expectRate } from '../support/backend-rate';
import { casesOf } from '../support/effort';

// Beside the others in a file of its own, so that another core takes it.
it(
  'the doctor names three things done otherwise, and says nothing false',
  () => expectRate(3, casesOf(8, 300), 0.98),
  3_600_000,
);
