import type { Given } from './ports';

/** What the app gets: its own vault alone counts there, whatever the shell that started it has exported for commands. */
export const nothingGiven: Given = {
  token: null,
  credentials: null,
  signingKey: null,
  environment: null,
  collectionDirectory: null,
  webhookKeys: [],
  inboxStore: null,
  requestTimeoutMs: null,
};

/** Reads the secrets that a headless run gets by environment variables, so that none stands in an argument list. */
export function readGiven(variables: NodeJS.ProcessEnv = process.env): Given {
  const consumerKey = variables['COUNTERSIGN_CONSUMER_KEY'] ?? '';
  const consumerSecret = variables['COUNTERSIGN_CONSUMER_SECRET'] ?? '';
  const hasBoth = consumerKey !== '' && consumerSecret !== '';
  return {
    ...nothingGiven,
    token: variables['COUNTERSIGN_TOKEN'] || null,
    credentials: hasBoth ? { consumerKey, consumerSecret } : null,
    webhookKeys: (variables['COUNTERSIGN_WEBHOOK_SECRET'] ?? '').split(/\s+/).filter(Boolean),
  };
}
