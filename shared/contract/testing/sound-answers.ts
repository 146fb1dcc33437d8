/** Answers as services give them, that several methods share. */
import type { Environment } from '../environments';
import type { ListenerStatus } from '../inbox';
import type { SandboxStatus } from '../sandbox';
import { usualSetup } from '../usual-setup';
import type { VaultStatus } from '../vault';
import { named } from './check-methods';

const at = 1_800_000_000_000;

/** As a collection has it, with all that can be said of one. */
const ofCollection: Environment = {
  id: 'c1/staging',
  name: 'staging',
  label: 'staging (Payouts)',
  kind: 'sandbox',
  baseUrl: 'https://staging.example.test',
  variables: named({ base_url: 'https://staging.example.test', callback_url: '' }),
  source: 'collection',
  keyId: 'k1',
  hasCredentials: true,
  isActive: false,
  addressChange: { from: 'https://old.example.test', to: 'https://staging.example.test' },
  setup: {
    ...usualSetup,
    profile: { ...usualSetup.profile, webhookStates: named({ SETTLED: 'succeeded' }) },
  },
  sealedParts: ['proxyPassword'],
  session: named({ amount: '100' }),
  lastReferences: named({ payout: 'R-1' }),
  sharedNames: ['country'],
  inClear: ['api_key'],
  privateNames: ['pin'],
  warning: 'It is not encrypted.',
};

/** The sandbox's, of which as little is said as there can be. */
const local: Environment = {
  id: 'local',
  name: 'local',
  label: 'Local sandbox',
  kind: 'local',
  baseUrl: 'http://127.0.0.1:4010',
  variables: named({}),
  source: 'builtin',
  keyId: null,
  hasCredentials: false,
  isActive: true,
  addressChange: null,
  setup: { ...usualSetup, profile: { ...usualSetup.profile, webhookStates: named({}) } },
  sealedParts: [],
  session: named({}),
};

export const environments: [Environment, Environment, Environment] = [
  ofCollection,
  local,
  { ...local, id: 'data/new', addressChange: { from: null, to: 'https://a.test' }, warning: null },
];

/** One that runs and turned something away, and one that could not start. */
export const listeners: [ListenerStatus, ListenerStatus, ListenerStatus] = [
  {
    id: 'main',
    state: 'running',
    url: 'http://127.0.0.1:4020',
    message: 'Port 4020 was taken.',
    isStoring: false,
    rule: { respondStatus: 200, delayMs: 0 },
    ruleCount: 2,
    notTaken: { count: 3, at, httpStatus: 400, reason: 'No request.', remoteAddress: '127.0.0.1' },
  },
  {
    id: 'second',
    state: 'failed',
    url: null,
    message: null,
    isStoring: true,
    rule: { respondStatus: 599, delayMs: 120_000 },
    ruleCount: 0,
    notTaken: { count: 1, at, httpStatus: null, reason: 'No request.', remoteAddress: '127.0.0.1' },
  },
  {
    id: 'third',
    state: 'stopped',
    url: null,
    message: null,
    isStoring: true,
    rule: { respondStatus: 100, delayMs: 0 },
    ruleCount: 0,
    notTaken: null,
  },
];

export const sandboxes: [SandboxStatus, SandboxStatus] = [
  { state: 'running', baseUrl: 'http://127.0.0.1:4010', message: 'Port 4010 was taken.' },
  { state: 'stopped', baseUrl: null, message: null },
];

export const vaults: [VaultStatus, VaultStatus] = [
  { state: 'unlocked', box: 'key_file', message: 'Anyone who reads its file can open it.', keyCount: 2 },
  { state: 'locked', box: 'passphrase', message: null, keyCount: 0 },
];
