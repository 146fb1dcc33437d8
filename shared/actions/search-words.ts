import { importableTools } from '../import/import-formats';
import type { ActionId } from './action-list';
import type { ViewId } from './view-list';

type Found = Readonly<Partial<Record<ActionId, string>> & Record<`go-${ViewId}`, string>>;

/** What the palette finds an action by, too: what a user calls it, and what its view holds. It is read when the palette opens. */
export const searchWords: Found = {
  newRequest: 'payout, remittance, collection, checkout',
  importRequests: importableTools,
  deletedRequests: 'trash, restore, undo',
  'run-collection': 'tests, expectations',
  sendTestWebhook: 'trigger, simulate',
  openTunnel: 'ngrok, cloudflared, public address',
  generateKey: 'rotate, new key pair, private key',
  inspectKey: 'public key, PEM, fingerprint',
  showVault: 'password, secrets',
  webhookSecret: 'whsec, Standard Webhooks',
  keepHistory: 'clear, delete, how long',
  'help-docs': 'docs, manual',
  'go-requests': 'collection, send, expectations, variables',
  'go-inbox':
    'webhooks, callbacks, callback URL, listener port, answer rules, respond, replay, certificate, team, PostgreSQL',
  'go-payments': 'journey, timeline, share',
  'go-lookups': 'status, query a payment, bulk, CSV',
  'go-balances': 'wallets',
  'go-lab': 'signature doctor, verify a signature, string to sign',
  'go-sandbox':
    'local sandbox, start, stop, deliveries, redeliver, outcomes, test accounts, faults, latency, errors, rate limit, retries, go-live report',
  'go-backend': 'proxy, webhook receiver check, go-live report',
  'go-keys': 'credentials, consumer key, bearer token, get a token, private key, export a key, passphrase',
  'go-history': 'sent requests, resend',
  'go-environments':
    'switch environment, change, delete, production, base URL, variables, secrets, client certificate, proxy',
  'go-settings': 'zoom, data folder, backup, restore, logs, updates, version, about',
  'go-help': 'docs, guide, manual',
};
