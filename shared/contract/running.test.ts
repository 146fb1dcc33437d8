import { balanceMethods } from './balances';
import { doctorMethods } from './doctor';
import { journeyMethods, type Journey } from './journey';
import { runningMethods, type AppRun, type ItemResult } from './running';
import { checkMethods, long, operations } from './testing/check-methods';

const at = 1_800_000_000_000;

const item = {
  path: 'Old/One.http',
  block: 'One',
  name: 'One',
  folder: 'Old',
  line: 1,
  operation: 'payout' as const,
};
const result: ItemResult = {
  place: 0,
  outcome: 'failed',
  reason: 'It was refused.',
  errorCode: 'sending.tls',
  httpStatus: 200,
  summary: 'Rejected',
  later: 'succeeded',
  reference: 'R-1',
  exchangeId: 'e1',
  attempts: 1,
  durationMs: 5,
  expectations: [
    {
      text: 'status 201',
      line: 3,
      outcome: 'failed',
      expected: '201',
      received: '200',
      advice: 'Ask for 200.',
    },
    { text: 'status 200', line: 4, outcome: 'held', expected: '200', received: '200', advice: null },
  ],
  webhookIds: ['12'],
};
const quiet: ItemResult = {
  ...result,
  reason: null,
  errorCode: null,
  httpStatus: null,
  later: null,
  reference: null,
  exchangeId: null,
};
const subject = { environment: 'local', collectionId: 'c1', path: 'Old' };
const all = { ...subject, only: null };
const chosen = { path: 'Old/One.http', block: 'One' };
const run: AppRun = {
  id: 'r1',
  subject: { ...subject, only: [chosen] },
  startedAt: at,
  durationMs: 5,
  state: 'running',
  items: [item],
  results: [result, quiet],
  kept: [
    { item, result },
    { item, result: quiet },
    { item, result: null },
  ],
  leftOut: 0,
  keepFault: 'The disk is full.',
};
const runs: AppRun[] = [run, { ...run, subject: all, keepFault: null }];
const { later: _later, ...keptResult } = quiet;
/** A run that was kept before a result told what became of its payment, and a part of a folder could be run. */
const keptRun = { ...run, subject, results: [keptResult], kept: [{ item, result: keptResult }] };
const shownRun = { ...run, subject: all, results: [quiet], kept: [{ item, result: quiet }] };

const subjects = {
  environment: [long(5000)],
  collectionId: [long(40)],
  path: ['', long(4096)],
  only: [[], [{ path: long(4096), block: long(1000) }]],
};
/** The longest run that there is. */
const longestRun = Array.from({ length: 30_000 }, () => chosen);
const noSubjects = {
  environment: [long(5001)],
  collectionId: ['', long(41)],
  path: [long(4097)],
  only: [[{ path: long(4097), block: '' }], [{ path: '', block: long(1001) }], [{ path: '' }]],
};

checkMethods(runningMethods, {
  'running.plan': {
    calls: [subject, { ...subject, only: [chosen] }, all],
    becomes: all,
    takes: { ...subjects, only: [...subjects.only, longestRun] },
    refuses: { ...noSubjects, only: [...noSubjects.only, [...longestRun, chosen]] },
    answers: [
      {
        items: [item],
        faults: [{ path: 'One.http', line: 3, message: 'Nobody gives amount.' }],
        production: {
          name: 'live',
          host: 'api.example.test',
          paymentCount: 2,
          payments: [
            { name: 'One', amount: '1000.00', currency: 'KES', party: '254712340003' },
            { name: 'Two', amount: null, currency: null, party: null },
          ],
        },
      },
      { items: [], faults: [], production: null },
    ],
    withholds: { 'items.0.operation': ['loan'] },
    says: ['running.nothing', 'collections.not_open', 'tokens.no_credentials'],
  },
  'running.start': {
    calls: [subject, { ...subject, only: [chosen], confirmation: 'live', isBail: true }, all],
    becomes: { ...all, isBail: false },
    takes: { ...subjects, confirmation: [long(1000)], mark: [long(100)] },
    refuses: { ...noSubjects, confirmation: [long(1001)], mark: [long(101)] },
    answers: runs,
    earlier: [[keptRun, shownRun]],
    gives: {
      state: ['running', 'stopping', 'over'],
      'results.0.outcome': ['passed', 'failed', 'error', 'skipped', 'unfinished'],
      'results.0.expectations.0.outcome': ['held', 'failed', 'unfinished'],
    },
    withholds: {
      state: ['asleep'],
      'results.0.outcome': ['good'],
      'results.0.expectations.0.outcome': ['passed'],
    },
    says: ['running.under_way', 'environments.unknown', 'keys.needed', 'vault.locked'],
  },
  'running.cancel': {
    calls: [{ id: 'r1' }],
    takes: { id: [long(40)] },
    refuses: { id: [long(41)] },
    answers: [{}],
  },
  'running.get': {
    calls: [{}, { collectionId: 'c1' }],
    takes: { collectionId: [long(40)] },
    refuses: { collectionId: ['', long(41)] },
    answers: [...runs.map((one) => ({ run: one })), { run: null }],
    earlier: [[{ run: keptRun }, { run: shownRun }]],
  },
});

const summary = {
  reference: 'R-1',
  environment: 'local',
  operation: 'payout' as const,
  title: 'Payout',
  amount: '1000.00',
  currency: 'KES',
  startedAt: at,
  lastAt: at,
  finalAt: at,
  track: {
    signed: 'done' as const,
    accepted: 'done' as const,
    webhook: 'waiting' as const,
    final: 'none' as const,
  },
  state: 'processing',
  isDisputed: false,
  sentTo: [],
};
const unknown = { ...summary, amount: null, currency: null, finalAt: null, state: null };
const event = {
  kind: 'sent' as const,
  at,
  title: 'Sent',
  detail: 'HTTP 200',
  tone: 'good' as const,
  exchangeId: 'e1',
  webhookId: '12',
  state: 'processing',
  service: 'http://127.0.0.1:4010',
};
const journey: Journey = {
  summary,
  events: [event, { ...event, detail: null, exchangeId: null, webhookId: null, state: null, service: null }],
  unasked: ['Payments'],
};

checkMethods(journeyMethods, {
  'journey.list': {
    calls: [{}, { limit: 5, before: at, search: 'R-1' }, { before: null }],
    becomes: { limit: 100, before: null, search: '' },
    takes: { limit: [1, 500], search: [long(500)] },
    refuses: { limit: [0, 501, 1.5], search: [long(501)], before: [Number.NaN] },
    answers: [
      { journeys: [summary, unknown], nextBefore: at },
      { journeys: [], nextBefore: null },
    ],
    gives: { 'journeys.0.track.accepted': ['done', 'waiting', 'failed', 'later', 'unknown', 'none'] },
    withholds: { 'journeys.0.track.accepted': ['maybe'], 'journeys.0.operation': ['loan'] },
    says: ['journey.unknown'],
  },
  'journey.get': {
    calls: [{ reference: 'R-1' }],
    answers: [journey, { ...journey, summary: unknown, events: [] }],
    gives: {
      'events.0.kind': ['sent', 'accepted', 'refused', 'unknown', 'webhook', 'status', 'settled', 'balance'],
      'events.0.tone': ['good', 'bad', 'warn', 'quiet'],
      'summary.operation': operations,
    },
    withholds: { 'events.0.kind': ['lost'], 'events.0.tone': ['loud'] },
    says: ['journey.unknown'],
  },
});

const around = {
  reference: 'R-1',
  product: 'payout' as const,
  currency: 'KES',
  sentAt: at,
  mayBeTaken: true,
  state: 'succeeded',
  isFinal: true,
  before: { at, available: '1000.00' },
  after: { at, available: '900.00' },
  amount: '90.00',
  totalAmount: '100.00',
  otherCount: 0,
};

checkMethods(balanceMethods, {
  'balances.readings': {
    calls: [{ environment: 'local' }],
    takes: { environment: ['', long(5000)] },
    refuses: { environment: [long(5001)] },
    answers: [
      {
        readings: [
          {
            product: 'payout',
            at,
            wallets: [{ currency: 'KES', actualBalance: '1000.00', availableBalance: '900.00' }],
          },
        ],
      },
    ],
    withholds: { 'readings.0.product': ['loans'] },
    says: ['environments.unknown'],
  },
  'balances.around': {
    calls: [{ reference: 'R-1' }, { reference: 'R-1', environment: 'data/uat' }],
    takes: { reference: ['R', long(500)] },
    refuses: { reference: ['', long(501)] },
    answers: [
      { around },
      { around: { ...around, state: null, before: null, after: null, amount: null, totalAmount: null } },
      { around: null },
    ],
    withholds: { 'around.otherCount': [0.5] },
    says: ['journey.unknown', 'environments.unknown'],
  },
});

const body = long(8 * 1024 * 1024);
const diagnosis = {
  valid: false,
  verdict: 'explained' as const,
  explanation: 'The signature is URL-safe Base64.',
  causes: [
    { code: 'base64', message: 'It is URL-safe.', expected: '+', actual: '-' },
    { code: 'other', message: 'It is another.', expected: null, actual: null },
  ],
  signedString: 'R-1',
  expectedString: 'R-1',
  checks: [
    { name: 'Length', finding: '256 bytes', isGood: true },
    { name: 'Key', finding: 'RSA 2048', isGood: null },
  ],
  digestHex: 'ab',
  searched: 12,
  planned: 100,
  elapsedMs: 5,
};
const unexplained = {
  ...diagnosis,
  signedString: null,
  expectedString: null,
  digestHex: null,
  planned: null,
};
const { planned: _planned, ...whole } = diagnosis;

checkMethods(doctorMethods, {
  'doctor.diagnose': {
    calls: [
      { diagnosisId: 'd1', body: '{}', signature: 'AA==' },
      {
        diagnosisId: 'd1',
        body: '{}',
        signature: '',
        publicKeyPem: 'PEM',
        keyId: 'k1',
        otherKeys: ['PEM'],
        claimedString: 'R-1',
        mostMs: 60_000,
      },
    ],
    takes: {
      body: ['', '\0', body],
      signature: [long(200_000)],
      publicKeyPem: [long(200_000)],
      otherKeys: [[], Array.from({ length: 100 }, () => 'PEM'), [long(200_000)]],
      claimedString: [long(1_000_000)],
      mostMs: [10_000, 3_600_000],
    },
    refuses: {
      body: [`${body}x`],
      signature: [long(200_001)],
      publicKeyPem: [long(200_001)],
      otherKeys: [Array.from({ length: 101 }, () => 'PEM'), [long(200_001)]],
      claimedString: [long(1_000_001)],
      mostMs: [9999, 3_600_001, 10_000.5],
    },
    answers: [diagnosis, unexplained, whole],
    gives: { verdict: ['valid', 'explained', 'other_key', 'unexplained', 'not_a_signature'] },
    withholds: { verdict: ['perhaps'] },
    says: ['doctor.canceled', 'keys.unknown', 'signing.not_json', 'vault.locked'],
  },
  'doctor.cancel': { calls: [{ diagnosisId: 'd1' }], answers: [{}] },
});
