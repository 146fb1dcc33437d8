import { later } from '../../../ui/later';

/** Nobody sees one in the first view. */
export const ErrorWays = later(async () => (await import('./error-ways')).ErrorWays);
