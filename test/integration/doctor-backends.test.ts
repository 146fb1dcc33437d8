import { describe, it } from 'vitest';
import { expectRate } from '../support/backend-rate';
import { casesOf } from '../support/effort';

describe('the doctor, on what other people’s back ends sign', () => {
  it(
    'names one thing done otherwise, and says nothing false',
    () => expectRate(1, casesOf(80, 1200), 0.995),
    3_600_000,
  );
  it(
    'names two things done otherwise, and says nothing false',
    () => expectRate(2, casesOf(50, 900), 0.985),
    3_600_000,
  );
});
