import type { Given } from './ports';

/** Reads the secrets that a headless run gets by environment variables, so that none stands in an argument list. */
export function readGiven(variables: NodeJS.ProcessEnv = process.env): Given {
  const consumerKey = variables['COUNTERSIGN_CONSUMER_KEY'] ?? '';
  const consumerSecret = variables['COUNTERSIGN_CONSUMER_SECRET'] ?? '';
  const hasBoth = consumerKey !== '' && consumerSecret !== '';
  return {
    token: variables['COUNTERSIGN_TOKEN'] || null,
    credentials: hasBoth ? { consumerKey, consumerSecret } : null,
    signingKey: null,
    environment: null,
    collectionDirectory: null,
    webhookKeys: (variables['COUNTERSIGN_WEBHOOK_SECRET'] ?? '').split(/\s+/).filter(Boolean),
    inboxStore: null,
    requestTimeoutMs: null,
  };
}
