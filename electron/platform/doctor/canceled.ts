import { AppError } from '@shared/errors';

/** Says that a diagnosis was stopped on demand: `doctor.canceled`. */
export function canceled(): AppError {
  return new AppError(
    'doctor.canceled',
    'The diagnosis was canceled. Start it again when you want the answer.',
  );
}
