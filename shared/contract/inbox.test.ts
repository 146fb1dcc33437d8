import { inboxMethods, type Replay, type WebhookSummary } from './inbox';
import { checkMethods, long } from './testing/check-methods';
import { listeners } from './testing/sound-answers';

const at = 1_800_000_000_000;
const tag = long(40);

const webhook: WebhookSummary = {
  id: '12',
  receivedAt: at,
  method: 'POST',
  path: '/hook?a=1',
  contentType: 'application/json',
  sizeBytes: 128,
  respondedStatus: 200,
  isRead: false,
  status: 'SUCCESS',
  amount: '1000.00',
  clientReference: 'R-1',
  paymentUuid: '70001',
  webhookId: 'wh_1',
  rule: 'late ones',
  isKeptCut: false,
  verdict: 'valid',
  isPinned: true,
  note: 'ask them',
  tags: ['urgent'],
  earlierAttempts: 1,
  answers: { exchangeId: 'e1', title: 'Payout', operation: 'payout', sentAt: at, currency: 'KES' },
};
/** Of which nobody knows what it is about. */
const bare: WebhookSummary = {
  ...webhook,
  contentType: null,
  status: null,
  amount: null,
  clientReference: null,
  paymentUuid: null,
  webhookId: null,
  rule: null,
  verdict: null,
  answers: null,
};
const opened = {
  code: '0',
  paymentReference: 'PR1',
  answeredInMs: 1.5,
  verdictReason: 'it is signed by the first secret',
  headers: [['Webhook-Id', 'wh_1']] as [string, string][],
  body: '{}',
  bodyBase64: 'e30=',
  isBodyCut: false,
  remoteAddress: '127.0.0.1',
  lastMark: { by: 'ann', at },
  remarks: [{ kind: 'late' as const, text: 'It came after 3 minutes.' }],
};
const replay: Replay = {
  sentAt: at,
  url: 'http://127.0.0.1:8080/hook',
  httpStatus: 200,
  reason: null,
  elapsedMs: 12,
  isEdited: false,
  isResigned: false,
  headers: [['Content-Type', 'text/plain']],
  body: 'ok',
};
const unanswered: Replay = { ...replay, httpStatus: null, reason: 'Nobody listens there.', elapsedMs: null };

const storeIds = { store: ['local', 'team-1', '9', `a${long(39)}`] };
const noStoreIds = { store: ['', 'Team', '-team', 'te am', 'team\n', '../team', `a${long(40)}`] };
const listenerIds = { id: ['main', 'second-1', '9', `a${long(39)}`] };
const noListenerIds = { id: ['', 'Main', '-main', 'a b', 'main\n', '__proto__', `a${long(40)}`] };
const ofMain = { calls: [{}, { id: 'second' }], becomes: { id: 'main' } };
const manyIds = Array.from({ length: 1001 }, (_, index) => String(index));

checkMethods(inboxMethods, {
  'inbox.list': {
    calls: [
      {},
      { store: 'team-1', limit: 5, before: '12', skip: 0, isPlaced: true, search: 'R-1', filter: 'unread' },
      { before: null },
    ],
    becomes: { store: 'local', limit: 100, before: null, search: '', filter: 'all' },
    takes: {
      ...storeIds,
      limit: [1, 500],
      skip: [0, 100_000_000],
      search: [long(500), "'; DROP TABLE webhooks; --"],
      filter: [long(2000)],
    },
    refuses: {
      ...noStoreIds,
      limit: [0, 501, -1, 2.5, Number.NaN, Infinity],
      skip: [-1, 100_000_001, 0.5],
      search: [long(501)],
      filter: [long(2001)],
    },
    answers: [
      {
        webhooks: [
          webhook,
          bare,
          { ...bare, answersOneOf: 2 },
          { ...bare, answers: { ...webhook.answers!, currency: null } },
        ],
        nextBefore: '11',
        totalCount: 2,
        isTotalCut: true,
        unreadCount: 1,
        below: 3,
        notice: 'Two webhooks were lost.',
      },
      { webhooks: [], nextBefore: null, totalCount: 0, unreadCount: 0, below: null, notice: null },
      { webhooks: [], nextBefore: null, totalCount: 0, unreadCount: 0 },
    ],
    gives: { 'webhooks.0.verdict': ['valid', 'invalid', 'unsigned', 'unchecked'], 'webhooks.0.tags': [[]] },
    withholds: { 'webhooks.0.verdict': ['perhaps'], 'webhooks.0.tags': [[1], 'urgent'] },
    says: ['inbox.bad_filter', 'team.read_only'],
  },
  'inbox.explainSignature': {
    calls: [{ id: '12' }, { store: 'team-1', id: '12' }],
    becomes: { store: 'local', id: '12' },
    takes: storeIds,
    refuses: noStoreIds,
    answers: [
      { verdict: 'valid', reason: null, keyIndex: 0, causes: [] },
      {
        verdict: 'invalid',
        reason: 'Signed over the body alone.',
        keyIndex: 1,
        causes: [{ part: 'content', message: 'Signed over the body alone.' }],
      },
      { verdict: 'unchecked', reason: 'No webhook secret is known.', keyIndex: null, causes: [] },
    ],
    says: ['inbox.unknown', 'team.unknown', 'sandbox.stopped', 'signing.bad_webhook_key'],
  },
  'inbox.dismissNotice': { calls: [{}], answers: [{}], says: ['inbox.unknown'] },
  'inbox.get': {
    calls: [{ id: '12' }, { store: 'team-1', id: '12', isWhole: true }],
    becomes: { store: 'local', id: '12', isWhole: false },
    takes: storeIds,
    refuses: noStoreIds,
    answers: [
      { ...webhook, ...opened },
      {
        ...bare,
        ...opened,
        code: null,
        paymentReference: null,
        answeredInMs: null,
        verdictReason: null,
        remoteAddress: null,
        lastMark: null,
      },
      {
        ...(({ lastMark: _, ...rest }) => rest)({ ...bare, ...opened }),
        answers: { ...webhook.answers!, currency: null },
      },
    ],
    gives: { 'remarks.0.kind': ['early', 'late', 'out_of_order', 'repeated', 'disagrees'] },
    withholds: { 'remarks.0.kind': ['lost'], headers: [[['Webhook-Id']], [['a', 'b', 'c']]] },
    says: ['inbox.unknown', 'team.unknown'],
  },
  'inbox.markRead': {
    calls: [{}, { store: 'team-1', ids: ['1', '2'], isAll: true, isRead: false }],
    becomes: { store: 'local', isAll: false, isRead: true },
    takes: { ...storeIds, ids: [[], manyIds.slice(1)] },
    refuses: { ...noStoreIds, ids: [manyIds, [1]] },
    answers: [
      { unreadCount: 2, foundCount: 1 },
      { unreadCount: 0, foundCount: null },
    ],
    says: ['inbox.unknown'],
  },
  'inbox.delete': {
    calls: [{}, { store: 'team-1', ids: ['1'], isAll: true }],
    // Nothing is deleted of a call that says nothing.
    becomes: { store: 'local', isAll: false },
    takes: { ...storeIds, ids: [[], manyIds.slice(1)] },
    refuses: { ...noStoreIds, ids: [manyIds, [1]] },
    answers: [{ deletedCount: 1 }],
    says: ['inbox.unknown'],
  },
  'inbox.mark': {
    calls: [{ ids: ['1'] }, { store: 'team-1', ids: ['1'], isPinned: false, note: 'ask', tags: ['a'] }],
    becomes: { store: 'local', ids: ['1'] },
    takes: {
      ...storeIds,
      ids: [manyIds.slice(1)],
      note: ['', long(2000)],
      tags: [[], [tag], Array.from({ length: 20 }, (_, index) => `t${index}`), ['überfällig']],
    },
    refuses: {
      ...noStoreIds,
      ids: [[], manyIds],
      note: [long(2001)],
      tags: [
        [''],
        ['two words'],
        ['a\nb'],
        [' a'],
        ['a '],
        [`${tag}x`],
        Array.from({ length: 21 }, (_, index) => `t${index}`),
      ],
    },
    answers: [{ changedCount: 1 }],
    says: ['team.read_only'],
  },
  'inbox.export': {
    calls: [
      { format: 'har' },
      { store: 'team-1', ids: ['1'], search: 'R', filter: 'failed', format: 'curl' },
    ],
    becomes: { store: 'local', search: '', filter: 'all', format: 'har' },
    takes: {
      ...storeIds,
      ids: [Array.from({ length: 10_000 }, () => '1')],
      format: ['jsonl', 'har', 'curl'],
      search: [long(500)],
      filter: [long(2000)],
    },
    refuses: {
      ...noStoreIds,
      ids: [[], Array.from({ length: 10_001 }, () => '1')],
      format: ['xml', 'constructor', ''],
      search: [long(501)],
      filter: [long(2001)],
    },
    answers: [{ text: '{}', count: 1, isCut: false }],
    says: ['inbox.bad_filter'],
  },
  'inbox.replay': {
    calls: [
      { id: '12', to: 'http://127.0.0.1' },
      {
        store: 'team-1',
        id: '12',
        to: '',
        edits: ['amount=1'],
        body: '{}',
        isResigned: true,
        timeoutMs: 5,
        isTrial: true,
        replayId: 'r1',
      },
      { id: '12', to: '', body: null },
    ],
    // As it was received: nothing of it is another by itself.
    becomes: {
      store: 'local',
      id: '12',
      to: 'http://127.0.0.1',
      edits: [],
      body: null,
      isResigned: false,
      timeoutMs: 30_000,
      isTrial: false,
    },
    takes: {
      ...storeIds,
      to: [long(4000)],
      edits: [Array.from({ length: 50 }, () => 'a=1'), [long(100_000)]],
      timeoutMs: [1, 600_000],
      replayId: [long(100)],
    },
    refuses: {
      ...noStoreIds,
      to: [long(4001)],
      edits: [Array.from({ length: 51 }, () => 'a=1'), [long(100_001)], [{ a: 1 }]],
      timeoutMs: [0, 600_001, 1.5],
      replayId: [long(101)],
    },
    answers: [
      { replay },
      { replay: unanswered },
      { replay: null },
      { replay: { ...replay, reason: 'It was cut.' } },
    ],
    says: ['inbox.unknown', 'sending.canceled', 'signing.bad_webhook_key'],
  },
  'inbox.cancelReplay': { calls: [{ replayId: 'r1' }], answers: [{}] },
  'inbox.replays': {
    calls: [{ id: '12' }, { store: 'team-1', id: '12' }],
    becomes: { store: 'local', id: '12' },
    takes: storeIds,
    refuses: noStoreIds,
    answers: [{ replays: [replay, unanswered] }],
    says: ['inbox.unknown'],
  },
  'listener.list': { calls: [{}], answers: [{ listeners }] },
  'listener.status': {
    ...ofMain,
    takes: listenerIds,
    refuses: noListenerIds,
    answers: listeners,
    gives: { state: ['running', 'starting', 'stopped', 'failed'] },
    withholds: { state: ['asleep'] },
    says: ['listener.unknown'],
  },
  'listener.rules': {
    ...ofMain,
    takes: listenerIds,
    refuses: noListenerIds,
    answers: [
      { text: '{}', fault: 'Line 1: no version.' },
      { text: '', fault: null },
    ],
    says: ['listener.unknown'],
  },
  'listener.setRules': {
    calls: [{ text: '' }, { id: 'second', text: '{}' }],
    becomes: { id: 'main', text: '' },
    takes: { ...listenerIds, text: [long(256 * 1024)] },
    refuses: { ...noListenerIds, text: [long(256 * 1024 + 1)] },
    answers: listeners,
    says: ['listener.bad_rules', 'platform.disk_full'],
  },
  'listener.tryRules': {
    calls: [{ text: '{}', webhookId: '12' }],
    takes: { text: [long(256 * 1024)] },
    refuses: { text: [long(256 * 1024 + 1)] },
    answers: [
      {
        rule: 'late ones',
        answer: { status: 202, headers: [['A', 'b']], body: 'ok', delayMs: 5, isDropped: false },
      },
      { rule: null, answer: null },
    ],
    says: ['listener.bad_rules', 'inbox.unknown'],
  },
  'listener.setRule': {
    calls: [
      { respondStatus: 200, delayMs: 0 },
      { id: 'second', respondStatus: 503, delayMs: 5 },
    ],
    becomes: { id: 'main', respondStatus: 200, delayMs: 0 },
    takes: { ...listenerIds, respondStatus: [100, 599], delayMs: [120_000] },
    refuses: { ...noListenerIds, respondStatus: [99, 600, 200.5], delayMs: [-1, 120_001, 0.5] },
    answers: listeners,
    says: ['listener.unknown'],
  },
  'listener.start': {
    calls: [{}, { id: 'second', port: 4020, isHttps: true }],
    becomes: { id: 'main' },
    takes: { ...listenerIds, port: [0, 65_535] },
    refuses: { ...noListenerIds, port: [-1, 65_536, 80.5] },
    answers: listeners,
    says: ['listener.port_in_use'],
  },
  'listener.stop': {
    ...ofMain,
    takes: listenerIds,
    refuses: noListenerIds,
    answers: listeners,
    says: ['listener.unknown'],
  },
  'listener.remove': {
    ...ofMain,
    takes: listenerIds,
    refuses: noListenerIds,
    answers: [{}],
    says: ['listener.unknown'],
  },
});
