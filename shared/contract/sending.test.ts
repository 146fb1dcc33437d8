import { sendingMethods, type Exchange, type ExchangeSummary } from './sending';
import { checkMethods, long, operations } from './testing/check-methods';

const at = 1_800_000_000_000;
const MIB = 1024 * 1024;
const identity = { collectionId: 'c1', path: 'Payouts/One.http', block: 'One' };
const noProducts = { product: ['loans', 'status', '', 'constructor'] };
const products = { product: ['payout', 'remittance', 'collection'] };
/** As long as an identity may be, and longer. */
const identities = [
  { collectionId: long(40), path: long(4096), block: long(1000) },
  { ...identity, path: '', block: '' },
];
const noIdentities = [
  { ...identity, collectionId: '' },
  { ...identity, collectionId: long(41) },
  { ...identity, path: long(4097) },
  { ...identity, block: long(1001) },
];

/** With all that can be kept of one. */
const answered: Exchange = {
  id: 'e1',
  environment: 'data/staging',
  operation: 'payout',
  identity,
  title: 'Payout',
  sentAt: at,
  reference: 'R-1',
  request: {
    method: 'POST',
    url: 'https://staging.example.test/payments/v1/payout',
    headers: [['Authorization', 'Bearer ab…yz']],
    body: '{}',
    stringToSign: 'R-11000.00KES1',
    signature: 'AA==',
    keyFingerprint: 'ab12',
    spans: [
      { field: 'reference', pointer: '/transaction/reference', start: 0, end: 3, bodyStart: 30, bodyEnd: 33 },
    ],
    written: {
      url: '{{base_url}}/payments/v1/payout',
      headers: [['A', 'b']],
      body: '{}',
      lost: 'It was too long.',
    },
  },
  response: {
    httpStatus: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{}',
    bodyBase64: 'e30=',
    sizeBytes: 2,
    isCut: false,
    isBodyShortened: true,
    requestId: 'q1',
  },
  timings: { queueMs: 1, dnsMs: 2, connectMs: 3.5, tlsMs: 4, firstByteMs: 5, downloadMs: 6, totalMs: 21.5 },
  reading: {
    outcome: 'accepted',
    title: 'Accepted for processing',
    code: 'ACCEPTED',
    status: '200.100',
    description: 'Accepted',
    paymentUuid: '70001',
    paymentReference: 'PR1',
    state: 'processing',
    fieldErrors: [{ field: 'amount', message: 'is needed' }],
    fieldErrorCount: 3,
    checkoutUrl: 'https://pay.example.test/1',
  },
  trace: {
    address: '203.0.113.7:443',
    isProxied: true,
    isReused: false,
    httpVersion: '1.1',
    tls: {
      protocol: 'TLSv1.3',
      cipher: 'TLS_AES_256_GCM_SHA384',
      chain: [
        { subject: 's', issuer: 'i', validFrom: at, validTo: at, names: 'example.test', fingerprint: 'AB' },
      ],
    },
    sent: { base64: 'AA==', sizeBytes: 1, isMasked: true },
    received: { base64: 'AA==', sizeBytes: 1, isMasked: false },
  },
  error: null,
};
/** A call of the app's own, as much of it as there is in any case. */
const quiet: Exchange = {
  ...answered,
  identity: null,
  reference: null,
  request: {
    ...answered.request,
    body: null,
    stringToSign: null,
    signature: null,
    keyFingerprint: null,
    written: { url: '', headers: [], lost: null },
  },
  response: { ...answered.response!, bodyBase64: null, requestId: null },
  timings: {
    queueMs: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
    downloadMs: null,
    totalMs: 1,
  },
  reading: {
    outcome: 'unknown',
    title: 'No answer that is known',
    code: null,
    status: null,
    description: null,
    paymentUuid: null,
    paymentReference: null,
    state: null,
    fieldErrors: [],
    checkoutUrl: null,
  },
  trace: { ...answered.trace!, address: null, httpVersion: null, tls: null },
};
const { written: _written, ...oldRequest } = quiet.request;
const { isBodyShortened: _short, ...wholeAnswer } = quiet.response!;
/** What earlier versions kept, and what came to nothing. */
const { trace: _trace, ...old } = { ...quiet, request: oldRequest, response: wholeAnswer };
const unanswered: Exchange = {
  ...old,
  response: null,
  timings: null,
  reading: null,
  error: { code: 'sending.timeout', message: 'No answer came.' },
};
const { dnsMs: _dns, tlsMs: _tls, ...oldTimings } = answered.timings!;
const { isProxied: _proxied, ...oldTrace } = answered.trace!;
/** Kept before names, encryption and proxies were told apart. */
const kept = { ...answered, timings: oldTimings, trace: oldTrace };
const shownKept: Exchange = {
  ...answered,
  timings: { ...answered.timings!, dnsMs: null, tlsMs: null },
  trace: { ...answered.trace!, isProxied: false },
};
const exchanges = [answered, quiet, old, unanswered];
const outcomes = [
  'accepted',
  'rejected',
  'duplicate',
  'unauthorized',
  'not_found',
  'rate_limited',
  'failed',
  'ok',
  'unknown',
];

const listed: ExchangeSummary = {
  id: 'e1',
  environment: 'local',
  operation: 'payout',
  identity,
  title: 'Payout',
  sentAt: at,
  reference: 'R-1',
  method: 'POST',
  url: 'http://127.0.0.1:4010/x',
  httpStatus: 200,
  totalMs: 12.5,
  outcome: 'accepted',
  summary: 'Accepted for processing',
  isPinned: false,
};
const bareListed: ExchangeSummary = {
  ...listed,
  identity: null,
  reference: null,
  httpStatus: null,
  totalMs: null,
  outcome: null,
};

const plain = {
  environment: 'local',
  operation: 'payout' as const,
  title: 'Payout',
  method: 'POST',
  url: 'http://127.0.0.1:4010/payments/v1/payout',
  headers: [['X-Custom-Signature', '{{signature}}']] as [string, string][],
  body: '{}',
};

checkMethods(sendingMethods, {
  'sending.send': {
    calls: [
      plain,
      {
        ...plain,
        identity,
        body: null,
        bodyBase64: 'AA==',
        secretValues: ['1234'],
        allowHosts: ['example.test:8443'],
        keyId: 'k1',
        overrideConfirmation: 'staging',
        sendId: 's1',
        isForScreen: true,
      },
      { ...plain, identity: null },
    ],
    becomes: { ...plain, identity: null },
    // A request with a long name is sent all the same.
    filled: [
      [
        { ...plain, title: long(301) },
        { ...plain, identity: null, title: `${long(299)}…` },
      ],
    ],
    takes: {
      environment: ['', long(5000)],
      operation: operations,
      identity: identities,
      title: ['', long(300)],
      method: ['get', 'PATCH', 'Propfind'],
      headers: [
        [],
        [
          ['A', '1'],
          ['A', '2'],
        ],
        [['', '\r\n']],
      ],
      bodyBase64: [long(48 * MIB)],
      secretValues: [[], Array.from({ length: 100 }, () => 'x'), [long(64 * 1024)]],
      allowHosts: [[], Array.from({ length: 20 }, () => 'x'), [long(300)]],
    },
    refuses: {
      environment: [long(5001)],
      operation: ['loan', '', 'toString'],
      identity: noIdentities,
      method: ['', 'P OST', 'POST\n', ' POST', 'PO-ST', 'G3T', 'POST /x HTTP/1.1\r\nX'],
      headers: [[['A']], [['A', '1', '2']], [{ name: 'A', value: '1' }], { A: '1' }],
      bodyBase64: [long(48 * MIB + 1)],
      secretValues: [Array.from({ length: 101 }, () => 'x'), [long(64 * 1024 + 1)]],
      allowHosts: [Array.from({ length: 21 }, () => 'x'), [long(301)]],
    },
    answers: exchanges,
    earlier: [[kept, shownKept]],
    gives: { operation: operations, 'reading.outcome': outcomes },
    withholds: { operation: ['loan'], 'reading.outcome': ['perhaps'], 'request.spans.0.field': ['name'] },
    says: [
      'sending.bad_url',
      'signing.not_json',
      'tokens.refused',
      'keys.needed',
      'vault.locked',
      'environments.unknown',
    ],
  },
  'sending.cancel': { calls: [{ sendId: 's1' }], answers: [{}] },
  'history.list': {
    calls: [
      {},
      {
        limit: 5,
        before: 'e1',
        reference: 'R-1',
        identity,
        search: 'R',
        outcome: 'any',
        isPinned: true,
        from: at,
        until: at,
      },
      { before: null },
      { identity: { ...identity, block: null } },
    ],
    becomes: { limit: 100, before: null },
    takes: {
      limit: [1, 500],
      identity: identities,
      search: ['', long(500)],
      outcome: ['any', 'good', 'refused', 'failed', 'no_answer'],
      from: [0, -1, 0.5],
    },
    refuses: {
      limit: [0, 501, 1.5],
      identity: noIdentities,
      search: [long(501)],
      outcome: ['bad', ''],
      // Those alone that are not pinned: nobody can ask for them.
      isPinned: [false],
      from: [Number.NaN, Infinity, '2026-01-01'],
    },
    answers: [
      { exchanges: [listed, bareListed], nextBefore: 'e1' },
      { exchanges: [], nextBefore: null },
    ],
    withholds: { 'exchanges.0.operation': ['loan'] },
    says: ['history.unknown'],
  },
  'history.get': {
    calls: [{ id: 'e1' }, { id: 'e1', isForScreen: true }],
    answers: exchanges,
    earlier: [[kept, shownKept]],
    says: ['history.unknown'],
  },
  'history.readBody': {
    calls: [{ id: 'e1', offset: 0, length: 1 }],
    takes: { offset: [9_000_000_000], length: [MIB] },
    refuses: { offset: [-1, 0.5], length: [0, MIB + 1, 1.5] },
    answers: [{ base64: 'AA==', sizeBytes: 1 }],
    says: ['history.unknown'],
  },
  'history.pin': {
    calls: [{ ids: ['e1'], isPinned: true }],
    takes: { ids: [Array.from({ length: 500 }, () => long(40))], isPinned: [false] },
    refuses: { ids: [[], Array.from({ length: 501 }, () => 'e1'), [long(41)]] },
    answers: [{}],
    says: ['history.unknown'],
  },
  'history.follow': {
    calls: [{ collectionId: 'c1', path: 'a.http', toPath: 'b/a.http' }],
    takes: { collectionId: [long(40)], path: ['', long(4096)], toPath: [long(4096)] },
    refuses: { collectionId: ['', long(41)], path: [long(4097)], toPath: [long(4097)] },
    answers: [{}],
    says: ['history.unknown'],
  },
  'history.delete': {
    calls: [{ ids: ['e1'] }],
    takes: { ids: [Array.from({ length: 500 }, () => long(40))] },
    // Not all of them by a call that names none.
    refuses: { ids: [[], Array.from({ length: 501 }, () => 'e1'), [long(41)]] },
    answers: [{ deleted: 1 }],
    says: ['history.unknown'],
  },
  'lookups.status': {
    calls: [
      { environment: 'local', product: 'payout', by: 'payment_uuid', value: '70001' },
      { environment: 'local', product: 'payout', by: 'payment_uuid', value: '70001', isForScreen: true },
    ],
    takes: { ...products, by: ['transaction_reference', 'payment_uuid', 'request_uuid'] },
    refuses: { ...noProducts, by: ['name', ''], value: [''], environment: [long(5001)] },
    answers: [
      { exchange: answered, isFound: true, state: 'succeeded' },
      ...exchanges.map((exchange) => ({ exchange, isFound: null, state: null })),
    ],
    earlier: [
      [
        { exchange: kept, isFound: null, state: null },
        { exchange: shownKept, isFound: null, state: null },
      ],
    ],
    says: ['environments.unknown'],
  },
  'balances.fetch': {
    calls: [
      { environment: 'local', product: 'payout' },
      { environment: 'local', product: 'payout', currency: 'KES', isRound: true },
    ],
    takes: products,
    refuses: noProducts,
    answers: [
      {
        exchange: answered,
        fetchedAt: at,
        wallets: [
          {
            currency: 'KES',
            actualBalance: '1.00',
            availableBalance: '0.50',
            alertLimit: '0.10',
            status: 'ACTIVE',
          },
          { currency: 'UGX', actualBalance: '1', availableBalance: '1', alertLimit: null, status: 'NEW' },
        ],
        unreadCount: 3,
      },
      ...exchanges.map((exchange) => ({ exchange, fetchedAt: at, wallets: [], unreadCount: 0 })),
    ],
    earlier: [
      [
        { exchange: kept, fetchedAt: at, wallets: [], unreadCount: 0 },
        { exchange: shownKept, fetchedAt: at, wallets: [], unreadCount: 0 },
      ],
    ],
    says: ['sending.unreachable'],
  },
  'webhooks.sendTest': {
    calls: [
      { environment: 'local', callbackUrl: 'http://127.0.0.1:4020' },
      {
        environment: 'local',
        callbackUrl: '',
        payload: '{}',
        isExact: true,
        copies: 2,
        delaySeconds: 1,
      },
    ],
    becomes: {
      environment: 'local',
      callbackUrl: 'http://127.0.0.1:4020',
      payload: '{"status":"SUCCESS"}',
      isExact: false,
      copies: 1,
      delaySeconds: 0,
    },
    takes: { payload: ['', long(1_000_000)], copies: [1, 10], delaySeconds: [0, 86_400] },
    refuses: { payload: [long(1_000_001), {}], copies: [0, 11, 1.5], delaySeconds: [-1, 86_401, 0.5] },
    answers: exchanges,
    earlier: [[kept, shownKept]],
    says: ['environments.unknown'],
  },
});
