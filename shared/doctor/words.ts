import type { DoctorResult } from '../contract/doctor';

/** What a verdict is called where people read it; scripts read its code. */
export const verdictWords: Readonly<Record<DoctorResult['verdict'], string>> = {
  valid: 'valid',
  explained: 'explained',
  other_key: 'made with another key',
  unexplained: 'not explained',
  not_a_signature: 'no signature of a key of this size',
};
