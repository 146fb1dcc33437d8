import type { Environment } from './environments';

/**
 * Whether an environment's name is typed before its secrets are bound to another address: for production, and where nothing
 * is known of what they were for. It may come from a backup, and that may call production a test environment.
 */
export function needsNameTyped(
  { kind }: Pick<Environment, 'kind'>,
  { from }: NonNullable<Environment['addressChange']>,
): boolean {
  return kind === 'production' || from === null;
}
