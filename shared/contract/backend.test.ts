import { forwardingMethods, type ForwardingStatus, type TunnelStatus } from './forwarding';
import { goliveMethods } from './golive';
import { proxyMethods, type ProxyExchange, type ProxyExchangeDetail, type ProxyStatus } from './proxy';
import { receiverMethods, type ReceiverStatus } from './receiver';
import { checkMethods, long } from './testing/check-methods';

const at = 1_800_000_000_000;
const ports = { port: [0, 65_535] };
const noPorts = { port: [-1, 65_536, 80.5] };

const proxy: ProxyStatus = {
  state: 'running',
  url: 'http://127.0.0.1:4030',
  target: 'https://staging.example.test',
  port: 4030,
  publicKey: 'PEM',
  keyCount: 1,
  message: 'Port 4030 was taken.',
  targetFault: 'It does not answer.',
};
const proxies = [proxy, { ...proxy, url: null, port: null, message: null, targetFault: null }];
const passed: ProxyExchange = {
  id: '1',
  at,
  durationMs: 5,
  method: 'POST',
  path: '/payments/v1/payout',
  httpStatus: 200,
  operation: 'payout',
  reference: 'R-1',
  signature: 'valid',
  causes: ['base64'],
  problemCount: 1,
  reason: 'It was cut.',
};
const unread: ProxyExchange = {
  ...passed,
  httpStatus: null,
  operation: null,
  reference: null,
  signature: null,
  reason: null,
};
const message = {
  headers: [['A', 'b']] as [string, string][],
  body: '{}',
  bodyBase64: 'e30=',
  sizeBytes: 2,
  isCut: false,
};
const detail: ProxyExchangeDetail = {
  ...passed,
  origin: 'https://staging.example.test',
  query: '?a=1',
  stringToSign: {
    text: 'R-1',
    spans: [
      { field: 'reference', pointer: '/transaction/reference', start: 0, end: 3, bodyStart: 9, bodyEnd: 12 },
    ],
  },
  diagnosis: {
    verdict: 'explained',
    explanation: 'It is URL-safe Base64.',
    causes: [{ code: 'base64', message: 'It is URL-safe.' }],
  },
  publicKeyPem: 'PEM',
  token: { product: 'payout', expiresAt: at, isExpired: false, fingerprint: 'ab12' },
  fieldProblems: [{ field: 'amount', message: 'is needed' }],
  request: message,
  answer: message,
};
const bareDetail: ProxyExchangeDetail = {
  ...detail,
  ...unread,
  stringToSign: null,
  diagnosis: { ...detail.diagnosis!, explanation: null },
  publicKeyPem: null,
  token: { ...detail.token!, product: null, expiresAt: null },
  request: { ...message, bodyBase64: null },
  answer: { ...message, bodyBase64: null },
};

const all = { operation: null, statusClass: null, onlyFindings: false, text: null };
const filters = {
  operation: ['remittance', 'payout', 'collection', 'status', 'balances', 'token', 'send_test', 'other'],
  statusClass: ['2xx', '4xx', '5xx', 'none'],
  text: ['', long(500)],
};
const noFilters = { operation: ['loan'], statusClass: ['3xx', ''], text: [long(501)] };

checkMethods(proxyMethods, {
  'proxy.status': {
    calls: [{}],
    answers: proxies,
    gives: { state: ['running', 'starting', 'stopped', 'failed'] },
    withholds: { state: ['asleep'] },
  },
  'proxy.start': {
    calls: [{}, { target: 'https://staging.example.test', port: 4030, publicKey: 'PEM' }],
    takes: { ...ports, target: ['', long(2000)], publicKey: ['', long(20_000)] },
    refuses: { ...noPorts, target: [long(2001)], publicKey: [long(20_001)] },
    answers: proxies,
    says: ['proxy.bad_target', 'keys.not_a_key', 'environments.unknown', 'vault.locked', 'sending.tls'],
  },
  'proxy.stop': { calls: [{}], answers: proxies, says: ['proxy.no_folder'] },
  'proxy.list': {
    calls: [
      {},
      { limit: 5, before: '9', operation: 'payout', statusClass: '4xx', onlyFindings: true, text: 'R-1' },
      { before: null, operation: null, statusClass: null, text: null },
    ],
    becomes: { ...all, limit: 200, before: null },
    takes: { ...filters, limit: [1, 500], before: [long(100)] },
    refuses: { ...noFilters, limit: [0, 501, 1.5], before: [long(101)] },
    answers: [
      { exchanges: [passed, unread], nextBefore: '1', totalCount: 2 },
      { exchanges: [], nextBefore: null, totalCount: 0 },
    ],
    gives: { 'exchanges.0.signature': ['valid', 'refused', 'missing', 'unchecked'] },
    withholds: { 'exchanges.0.signature': ['good'], 'exchanges.0.operation': ['loan'] },
    says: ['proxy.unknown'],
  },
  'proxy.get': {
    calls: [{ id: '1' }],
    takes: { id: [long(100)] },
    refuses: { id: [long(101)] },
    answers: [detail, bareDetail, { ...bareDetail, diagnosis: null, token: null, answer: null }],
    says: ['proxy.unknown'],
  },
  'proxy.export': {
    calls: [
      { format: 'har' },
      { format: 'jsonl', operation: 'payout', statusClass: '4xx', onlyFindings: true, text: 'R-1' },
      { format: 'har', operation: null, statusClass: null, text: null },
    ],
    becomes: { ...all, format: 'har' },
    takes: filters,
    refuses: { ...noFilters, format: ['curl'] },
    answers: [{ content: '{}', count: 1, isCut: false }],
    says: ['proxy.unknown'],
  },
});

const scenarios = ['success', 'failed', 'duplicate'] as const;
const check: ReceiverStatus = {
  state: 'running',
  url: 'http://127.0.0.1:8080/hook',
  stateUrl: '',
  planned: [...scenarios],
  current: 'failed',
  results: [
    {
      scenario: 'success',
      verdict: 'pass',
      reason: 'It was answered 200.',
      elapsedMs: 5,
      isSkipped: false,
      isAnswerOnly: true,
    },
  ],
  message: 'It was canceled.',
};
const checks = [check, { ...check, current: null, message: null }];

checkMethods(receiverMethods, {
  'receiver.status': {
    calls: [{}],
    answers: checks,
    gives: {
      state: ['idle', 'running', 'done', 'canceled', 'failed'],
      'results.0.verdict': ['pass', 'fail'],
    },
    withholds: { state: ['asleep'], 'results.0.verdict': ['skip'], current: ['constructor'] },
  },
  'receiver.check': {
    calls: [
      { url: 'http://127.0.0.1:8080/hook', scenarios: ['success'] },
      {
        url: '',
        scenarios: ['success'],
        secret: 'whsec_a',
        stateUrl: 'http://127.0.0.1:8080/state',
        timeoutMs: 500,
        isRerun: true,
      },
      { url: '', scenarios: ['success'], secret: null, stateUrl: null },
    ],
    becomes: {
      url: 'http://127.0.0.1:8080/hook',
      scenarios: ['success'],
      secret: null,
      stateUrl: null,
      timeoutMs: 15_000,
      isRerun: false,
    },
    takes: {
      url: [long(2000)],
      scenarios: [scenarios],
      secret: [long(500)],
      stateUrl: [long(2000)],
      timeoutMs: [100, 60_000],
    },
    refuses: {
      url: [long(2001)],
      scenarios: [[], ['flood'], Array.from({ length: 100 }, () => 'success')],
      secret: [long(501)],
      stateUrl: [long(2001)],
      timeoutMs: [99, 60_001, 100.5],
    },
    answers: checks,
    says: ['receiver.bad_url', 'sending.unreachable', 'signing.bad_webhook_key'],
  },
  'receiver.cancel': { calls: [{}], answers: checks, says: ['receiver.running'] },
});

const forwarding: ForwardingStatus = {
  isOn: true,
  url: 'http://127.0.0.1:8080/hook',
  filter: 'status == FAILED',
  trouble: 'Nobody listens there.',
  backlogCount: 2,
  missedCount: 1,
  nextAttemptAt: at,
  failedId: '12',
  refusedCount: 1,
  refusedReason: 'It answered 400.',
};
const forwardings = [
  forwarding,
  { ...forwarding, trouble: null, nextAttemptAt: null, failedId: null, refusedReason: null },
];
const tunnel: TunnelStatus = {
  state: 'connected',
  way: 'ssh:ann@example.test',
  url: 'https://a.example.test',
  reason: 'It was cut.',
  latencyMs: 12,
  programs: ['ssh'],
};
const tunnels = [tunnel, { ...tunnel, url: null, reason: null, latencyMs: null }];
const attempt = {
  attempt: 1,
  at,
  to: 'url' as const,
  outcome: 'retrying' as const,
  httpStatus: 503,
  reason: 'It answered 503.',
  durationMs: 5,
  nextAttemptAt: at,
};
const delivered = { ...attempt, httpStatus: null, reason: null, nextAttemptAt: null };

checkMethods(forwardingMethods, {
  'forwarding.status': { calls: [{}], answers: forwardings, says: ['listener.unknown'] },
  'forwarding.set': {
    calls: [
      { isOn: true, url: 'http://127.0.0.1:8080/hook' },
      { isOn: false, url: '', filter: 'failed' },
    ],
    becomes: { isOn: true, url: 'http://127.0.0.1:8080/hook', filter: '' },
    takes: { url: [long(2000)], filter: [long(2000)] },
    refuses: { url: [long(2001)], filter: [long(2001)] },
    answers: forwardings,
    says: ['listener.bad_forward', 'inbox.bad_filter'],
  },
  'forwarding.sendMissed': {
    calls: [{}],
    answers: [{ queuedCount: 2 }],
    says: ['listener.forwarding_in_use'],
  },
  'forwarding.attempts': {
    calls: [{ id: '12' }],
    answers: [
      { attempts: [attempt, delivered], isQueued: false, originalId: '11' },
      { attempts: [], isQueued: true, originalId: null },
    ],
    gives: { 'attempts.0.to': ['url', 'exec'], 'attempts.0.outcome': ['delivered', 'retrying'] },
    withholds: { 'attempts.0.to': ['mail'], 'attempts.0.outcome': ['lost'] },
    says: ['inbox.unknown'],
  },
  'tunnel.status': {
    calls: [{}],
    answers: tunnels,
    gives: { state: ['off', 'connecting', 'connected', 'disconnected'] },
    withholds: { state: ['asleep'] },
  },
  'tunnel.start': {
    calls: [{ way: 'ssh:ann@example.test' }],
    takes: { way: ['', long(2000)] },
    refuses: { way: [long(2001)] },
    answers: tunnels,
    says: ['tunnels.bad_choice'],
  },
  'tunnel.stop': { calls: [{}], answers: tunnels, says: ['tunnels.not_found'] },
});

checkMethods(goliveMethods, {
  'golive.report': {
    calls: [{}, { since: at }, { since: null }],
    becomes: { since: null },
    answers: [
      {
        rules: [
          {
            rule: 'reference.unique',
            verdict: 'held',
            message: 'All references are their own.',
            evidence: [{ id: '1', kind: 'proxy' }],
            exercise: 'countersign sandbox',
            action: 'Have your backend send two payouts.',
          },
        ],
        callCount: 2,
        webhookCount: 1,
        isCut: false,
      },
    ],
    gives: {
      'rules.0.verdict': ['held', 'broken', 'not_seen'],
      'rules.0.evidence.0.kind': ['proxy', 'sandbox', 'webhook'],
    },
    withholds: {
      'rules.0.rule': ['made.up', 'constructor'],
      'rules.0.verdict': ['maybe'],
      'rules.0.evidence.0.kind': ['history'],
    },
  },
});
