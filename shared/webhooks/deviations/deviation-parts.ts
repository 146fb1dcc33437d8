/** What of a webhook's signature its sender made otherwise. */
export const deviationParts = ['encoding', 'secret', 'hash', 'content', 'timestamp', 'body'] as const;
export type DeviationPart = (typeof deviationParts)[number];
