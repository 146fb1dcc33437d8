import { expect, it } from 'vitest';
import { sandboxMethods, sandboxRequestQuery, type SandboxRequestDetail } from './sandbox';
import { checkMethods, long, operations } from './testing/check-methods';
import { sandboxes } from './testing/sound-answers';

const at = 1_800_000_000_000;

const wallet = {
  product: 'payout' as const,
  currency: 'KES',
  actualBalance: '1000.00',
  availableBalance: '900.00',
  heldBalance: '100.00',
  alertLimit: '50.00',
  status: 'ACTIVE',
};
const wallets = [wallet, { ...wallet, alertLimit: null }];
const payment = {
  paymentUuid: '70001',
  paymentReference: 'PR1',
  transactionReference: 'R-1',
  requestUuid: 'q1',
  product: 'payout' as const,
  amount: '1000.00',
  charges: '10.00',
  currency: 'KES',
  account: '254712340003',
  state: 'processing' as const,
  timeReceived: at,
  lastUpdated: at,
};
const payments = [payment, { ...payment, account: null }];
const attempt = { attempt: 1, at, durationMs: 5, httpStatus: 200, error: 'It was cut.', responseBody: 'ok' };
const delivery = {
  id: 'd1',
  webhookId: 'wh_1',
  callbackUrl: 'http://127.0.0.1:4020/',
  transactionReference: 'R-1',
  state: 'pending' as const,
  nextAttemptAt: at,
  attempts: [attempt, { ...attempt, httpStatus: null, error: null, responseBody: null }],
  body: '{}',
};
const deliveries = [delivery, { ...delivery, transactionReference: null, nextAttemptAt: null, attempts: [] }];
const request = {
  id: 'q1',
  at,
  operation: 'payout' as const,
  method: 'POST',
  path: '/payments/v1/payout',
  httpStatus: 200,
  verdict: 'accepted',
  reference: 'R-1',
  durationMs: 5,
};
const requests = [request, { ...request, operation: null, reference: null }];
const kept = {
  headers: [['A', 'b']] as [string, string][],
  body: '{}',
  bodyBase64: 'e30=',
  sizeBytes: 2,
  isCut: false,
};
const detail: SandboxRequestDetail = {
  ...request,
  query: '?a=1',
  reason: 'The signature does not verify.',
  fieldErrors: [{ field: 'amount', message: 'is needed' }],
  checks: [{ id: 'token', label: 'Token', state: 'passed', message: 'It is valid.' }],
  stringToSign: {
    text: 'R-11000.00KES1',
    spans: [
      { field: 'reference', pointer: '/transaction/reference', start: 0, end: 3, bodyStart: 9, bodyEnd: 12 },
    ],
  },
  request: { ...kept, isTooLong: false, isMasked: true },
  answer: { ...kept, isDropped: false },
};
const bareDetail: SandboxRequestDetail = {
  ...detail,
  operation: null,
  reference: null,
  reason: null,
  stringToSign: null,
  request: { ...detail.request, bodyBase64: null },
  answer: { ...detail.answer, bodyBase64: null },
};
const explanation = {
  requestId: 'q1',
  verdict: 'signature',
  explanation: 'Sign it with the registered key.',
  fieldErrors: [{ field: 'amount', message: 'is needed' }],
  signature: {
    expectedString: 'R-11000.00KES1',
    expectedBytesHex: '522d',
    receivedSignature: 'AA==',
    body: '{}',
    publicKeyPem: 'PEM',
    findings: 'whatever the doctor found',
  },
};
const unsigned = { ...explanation.signature, receivedSignature: null, publicKeyPem: null, findings: null };

const faults = { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 };
const noShares = [-0.01, 1.01, Number.NaN];
const noDelays = [-1, 60_001, Infinity];
const settings = {
  settleMs: 1500,
  rateLimit: 0,
  retries: 'standard' as const,
  acceptanceForm: '200.100' as const,
  badRequestForm: 'envelope' as const,
  pathForm: 'both' as const,
  allowedCallbackHosts: ['hooks.example.test'],
  webhookSigning: true,
};
const state = {
  baseUrl: 'http://127.0.0.1:4010',
  now: at,
  clockOffsetMs: 60_000,
  consumerKeyMasked: 'ab…',
  backendConsumerKey: 'bk1',
  wallets,
  payments,
  deliveries,
  requests,
  publicKeys: [{ fingerprint: 'ab12', bits: 2048, pem: 'PEM' }],
  faults,
  settings,
};
const topUp = (amount: unknown) => ({ kind: 'top_up', amount });

checkMethods(sandboxMethods, {
  'sandbox.status': {
    calls: [{}],
    answers: sandboxes,
    gives: { state: ['running', 'starting', 'stopped', 'failed'] },
    withholds: { state: ['asleep'] },
  },
  'sandbox.start': {
    calls: [{}, { port: 4010 }],
    takes: { port: [0, 65_535] },
    refuses: { port: [-1, 65_536, 80.5] },
    answers: sandboxes,
    says: ['sandbox.port_in_use'],
  },
  'sandbox.stop': { calls: [{}], answers: sandboxes, says: ['sandbox.stopped'] },
  'sandbox.state': {
    calls: [{}, { limit: 5 }],
    becomes: { limit: 200 },
    takes: { limit: [1, 1000] },
    refuses: { limit: [0, 1001, 1.5] },
    answers: [state, { ...state, backendConsumerKey: null }],
    gives: {
      'payments.0.state': ['processing', 'succeeded', 'failed', 'canceled'],
      'deliveries.0.state': ['pending', 'delivered', 'failed'],
      'wallets.0.status': ['A state that the interface does not name'],
    },
    withholds: {
      'payments.0.state': ['paid'],
      'deliveries.0.state': ['lost'],
      'payments.0.product': ['loans'],
      'faults.errorRate': noShares,
      'settings.retries': ['often'],
    },
    says: ['sandbox.stopped'],
  },
  'sandbox.reset': { calls: [{}], answers: [{}], says: ['sandbox.stopped'] },
  'sandbox.registerKeys': {
    calls: [{ pems: ['PEM'], mode: 'add' }],
    takes: { pems: [[long(20_000)], ['a', 'b']], mode: ['replace'] },
    refuses: { pems: [[], [long(20_001)]], mode: ['remove'] },
    answers: [{}],
    says: ['sandbox.stopped', 'keys.not_a_key'],
  },
  'sandbox.setPaymentState': {
    calls: [{ paymentUuid: '70001', state: 'succeeded' }],
    takes: { state: ['failed', 'canceled'] },
    // Nothing that is over is under way again.
    refuses: { state: ['processing', 'lost'] },
    answers: payments,
    says: ['sandbox.payment_final'],
  },
  'sandbox.changeWallet': {
    calls: [
      { product: 'payout', currency: 'KES', change: { kind: 'top_up', amount: '10.50' } },
      { product: 'payout', currency: 'KES', change: { kind: 'set_status', status: 'SUSPENDED' } },
      { product: 'payout', currency: 'KES', change: { kind: 'empty' } },
    ],
    takes: {
      product: ['remittance', 'collection'],
      currency: [long(10)],
      change: [
        ...['0', '1', '999999999999', '999999999999.99', '0.1'].map(topUp),
        { kind: 'set_status', status: 'ACTIVE' },
        { kind: 'set_status', status: 'INACTIVE' },
      ],
    },
    refuses: {
      product: ['loans'],
      currency: [long(11)],
      change: [
        ...['', '-1', '+1', '1e3', '.5', '1.', '1.234', '1,000', ' 1', '1\n', '1000000000000', 'x1', 10].map(
          topUp,
        ),
        { kind: 'set_status', status: 'closed' },
        { kind: 'set_status' },
        { kind: 'top_up' },
        { kind: 'rob' },
        {},
      ],
    },
    answers: wallets,
    says: ['sandbox.wallet_unknown'],
  },
  'sandbox.advanceClock': {
    calls: [{ seconds: 60 }],
    takes: { seconds: [0.001, 31_536_000] },
    // Time goes forward.
    refuses: { seconds: [0, -1, 31_536_001, Infinity] },
    answers: [{ now: at }],
    says: ['sandbox.bad_clock'],
  },
  'sandbox.setFaults': {
    calls: [faults],
    takes: { latencyMs: [60_000, 0.5], errorRate: [0.5, 1], dropRate: [1], slowBodyMs: [60_000] },
    refuses: { latencyMs: noDelays, errorRate: noShares, dropRate: noShares, slowBodyMs: noDelays },
    answers: [faults],
    says: ['sandbox.bad_request'],
  },
  'sandbox.updateSettings': {
    calls: [{}, settings],
    takes: {
      settleMs: [0, 3_600_000],
      rateLimit: [0, 1_000_000],
      retries: ['standard', 'fast', 'none'],
      acceptanceForm: ['200.100', '100'],
      badRequestForm: ['envelope', 'error_object'],
      pathForm: ['both', 'plain', 'api'],
      allowedCallbackHosts: [[]],
      webhookSigning: [false],
    },
    refuses: {
      settleMs: [-1, 3_600_001, 1.5],
      rateLimit: [-1, 1.5],
      retries: ['often'],
      acceptanceForm: ['200', 200.1],
      badRequestForm: ['text'],
      pathForm: ['none'],
      allowedCallbackHosts: [[1], 'hooks.example.test'],
    },
    answers: [settings],
    says: ['sandbox.stopped'],
  },
  'sandbox.redeliver': {
    calls: [{ deliveryId: 'd1' }],
    answers: deliveries,
    says: ['sandbox.delivery_unknown'],
  },
  'sandbox.revealWebhookSecret': {
    calls: [{}],
    answers: [{ secret: 'whsec_…', hideAfterMs: 10_000 }],
    says: ['sandbox.stopped'],
  },
  'sandbox.makeBackendCredentials': {
    calls: [{}],
    answers: [{ consumerKey: 'bk1', consumerSecret: 's' }],
    says: ['sandbox.stopped'],
  },
  'sandbox.listRequests': {
    calls: [
      {},
      { limit: 5, operation: 'payout', statusClass: '4xx', reference: 'R', text: 'x-custom-signature' },
      { operation: null, statusClass: null, reference: null, text: null },
    ],
    becomes: { limit: 200, operation: null, statusClass: null, reference: null, text: null },
    takes: {
      limit: [1, 1000],
      operation: operations,
      statusClass: ['2xx', '4xx', '5xx'],
      reference: ['', long(500)],
      text: ['', long(500)],
    },
    refuses: {
      limit: [0, 1001, 1.5],
      operation: ['loan'],
      statusClass: ['3xx', 'four'],
      reference: [long(501)],
      text: [long(501)],
    },
    answers: [{ requests, skipped: 0 }],
    withholds: { skipped: [0.5], 'requests.0.operation': ['loan'] },
    says: ['sandbox.stopped'],
  },
  'sandbox.getRequest': {
    calls: [{ requestId: 'q1' }],
    answers: [detail, bareDetail],
    gives: { 'checks.0.state': ['passed', 'failed', 'not_reached'] },
    withholds: { 'checks.0.state': ['skipped'] },
    says: ['sandbox.request_unknown'],
  },
  'sandbox.explain': {
    calls: [{ requestId: 'q1' }],
    answers: [
      { ...explanation, signature: null },
      { ...explanation, signature: unsigned },
    ],
    gives: {
      signature: [
        explanation.signature,
        { ...unsigned, findings: { valid: false, causes: [{ code: 'base64' }] } },
      ],
    },
    withholds: { signature: [{ ...explanation.signature, receivedSignature: 1 }, {}, 'AA=='] },
    says: ['sandbox.request_unknown'],
  },
});

it('says what an amount looks like to whoever writes another', () => {
  const change = topUp('1e3');
  const given = { product: 'payout', currency: 'KES', change };
  const read = sandboxMethods['sandbox.changeWallet'].input.safeParse(given);
  expect(read.error?.issues.map(({ message }) => message)).toEqual(['Write an amount like 1000.00']);
});

it('asks for all requests where nothing is said', () => {
  expect(Object.values(sandboxRequestQuery.omit({ limit: true }).parse({}))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
