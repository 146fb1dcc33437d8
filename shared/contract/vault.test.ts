import { signingMethods } from './signing';
import { checkMethods, long, named } from './testing/check-methods';
import { vaults } from './testing/sound-answers';
import { vaultMethods, type KeySummary } from './vault';

const at = 1_800_000_000_000;
const key: KeySummary = {
  id: 'k1',
  name: 'Main',
  environment: 'local',
  bits: 2048,
  exponent: 65_537,
  fingerprint: 'ab12',
  publicKeyPem: '-----BEGIN PUBLIC KEY-----',
  origin: 'generated',
  createdAt: at,
  isLocked: false,
};
const unbound: KeySummary = { ...key, environment: null };
const token = {
  environment: 'local',
  product: 'payout' as const,
  masked: 'ab…yz',
  header: named({ alg: 'RS256' }),
  claims: named({ nested: { a: [1] }, nothing: null }),
  issuedAt: at,
  expiresAt: at,
};
const opaque = { ...token, issuedAt: null, expiresAt: null };

const names = { name: ['a', long(80)] };
const noNames = { name: ['', long(81)] };
const ofProduct = { environment: 'local', product: 'payout' as const };
const products = { product: ['payout', 'remittance', 'collection'] };
const noProducts = { product: ['loans', '', 'constructor'] };

checkMethods(vaultMethods, {
  'vault.status': {
    calls: [{}],
    answers: vaults,
    gives: {
      state: ['unlocked', 'locked', 'unreadable'],
      box: ['os_keychain', 'passphrase', 'key_file', 'memory'],
    },
    withholds: { state: ['open'], box: ['paper'] },
  },
  'vault.unlock': { calls: [{ passphrase: '' }], answers: vaults, says: ['vault.wrong_passphrase'] },
  'vault.lock': { calls: [{}], answers: vaults, says: ['vault.damaged'] },
  'vault.setPassphrase': {
    calls: [
      { current: 'old', next: 'eight ch' },
      { current: null, next: 'eight ch' },
    ],
    takes: { next: [long(8), long(10_000)] },
    refuses: { next: ['', long(7)] },
    answers: vaults,
    says: ['vault.wrong_passphrase'],
  },
  'keys.list': {
    calls: [{}],
    answers: [{ keys: [key, unbound] }, { keys: [] }],
    gives: { 'keys.0.origin': ['generated', 'imported'] },
    withholds: { 'keys.0.origin': ['found'] },
    says: ['vault.locked'],
  },
  'keys.generate': {
    calls: [
      { name: 'Main' },
      { name: 'Main', bits: 4096, environment: 'local' },
      { name: 'Main', environment: null },
    ],
    becomes: { name: 'Main', bits: 2048, environment: null },
    takes: { ...names, bits: [2048, 3072] },
    refuses: { ...noNames, bits: [1024, 2047, 8192, 0], environment: [long(5001)] },
    answers: [key, unbound],
    says: ['keys.too_many'],
  },
  'keys.inspect': {
    calls: [{ text: 'PEM' }, { text: '', passphrase: 'p' }],
    takes: { text: [long(200_000)] },
    refuses: { text: [long(200_001)] },
    answers: [
      {
        kind: 'private',
        format: 'PKCS#1 PEM',
        bits: 2048,
        exponent: 3,
        fingerprint: 'ab12',
        publicKeyPem: 'PEM',
        repairs: ['line breaks restored'],
        vaultKeyIds: ['k1'],
        environments: ['local'],
      },
    ],
    gives: { kind: ['public'] },
    withholds: { kind: ['secret'] },
    says: ['keys.not_a_key'],
  },
  'keys.import': {
    calls: [
      { name: 'Main', text: 'PEM' },
      { name: 'Main', text: 'PEM', passphrase: 'p', environment: 'local' },
      { name: 'Main', text: 'PEM', environment: null },
    ],
    becomes: { name: 'Main', text: 'PEM', environment: null },
    takes: { ...names, text: ['', long(200_000)] },
    refuses: { ...noNames, text: [long(200_001)], environment: [long(5001)] },
    answers: [
      { key, repairs: ['converted from PKCS#1'] },
      { key: unbound, repairs: [] },
    ],
    says: ['keys.duplicate'],
  },
  'keys.update': {
    calls: [{ id: 'k1' }, { id: 'k1', name: 'Other', environment: 'local' }, { id: 'k1', environment: null }],
    takes: names,
    refuses: { ...noNames, environment: [long(5001)] },
    answers: [key, unbound],
    says: ['keys.unknown'],
  },
  'keys.delete': { calls: [{ id: 'k1' }], answers: [{}], says: ['keys.unknown'] },
  'keys.checkPair': {
    calls: [{ id: 'k1', publicKeyText: 'PEM' }],
    takes: { publicKeyText: [long(200_000)] },
    refuses: { publicKeyText: [long(200_001)] },
    answers: [{ matches: true, fingerprint: 'ab12' }],
    says: ['keys.private_for_public'],
  },
  'keys.exportPrivate': {
    calls: [{ id: 'k1', passphrase: 'eight ch', confirmName: 'Main' }],
    takes: { passphrase: [long(8)] },
    refuses: { passphrase: ['', long(7)] },
    answers: [{ encryptedPem: '-----BEGIN ENCRYPTED PRIVATE KEY-----' }],
    says: ['keys.export_refused'],
    // No page in a browser is given a private key.
    hosts: ['electron', 'cli'],
  },
  'credentials.save': {
    calls: [
      { environment: 'local', consumerKey: 'k', consumerSecret: 's' },
      { ...ofProduct, consumerKey: 'k', consumerSecret: 's' },
      { environment: 'local', product: null, consumerKey: 'k', consumerSecret: 's' },
    ],
    becomes: { environment: 'local', product: null, consumerKey: 'k', consumerSecret: 's' },
    takes: products,
    refuses: { ...noProducts, environment: [long(5001)], consumerKey: [''], consumerSecret: [''] },
    answers: [{}],
    says: ['vault.locked', 'environments.unknown'],
  },
  'credentials.list': {
    calls: [{}],
    answers: [
      {
        credentials: [
          { ...ofProduct, consumerKeyMasked: 'ab…', savedAt: at, isLocked: false },
          { environment: 'local', product: null, consumerKeyMasked: 'ab…', savedAt: at, isLocked: true },
        ],
      },
    ],
    says: ['vault.locked'],
  },
  'credentials.delete': {
    calls: [{ environment: 'local' }, ofProduct, { environment: 'local', product: null }],
    takes: products,
    refuses: { ...noProducts, environment: [long(5001)] },
    answers: [{}],
    says: ['vault.locked'],
  },
  'tokens.list': { calls: [{}], answers: [{ tokens: [token, opaque] }], says: ['vault.locked'] },
  'tokens.fetch': {
    calls: [ofProduct, { ...ofProduct, isForced: true }],
    becomes: { ...ofProduct, isForced: false },
    takes: products,
    refuses: { ...noProducts, environment: [long(5001)] },
    answers: [token, opaque],
    withholds: { header: [[], 'text'], claims: [[]] },
    says: ['tokens.refused', 'vault.locked', 'sending.unreachable', 'environments.unknown'],
  },
  'tokens.forget': {
    calls: [ofProduct],
    takes: products,
    refuses: noProducts,
    answers: [{}],
    says: ['vault.locked'],
  },
  'tokens.reveal': {
    calls: [ofProduct],
    takes: products,
    refuses: noProducts,
    answers: [{ token: 'eyJ…', hideAfterMs: 10_000 }],
    says: ['tokens.none'],
  },
});

const body = long(8 * 1024 * 1024);

checkMethods(signingMethods, {
  'signing.sign': {
    calls: [
      { environment: 'local', body: '{}' },
      { environment: 'local', keyId: 'k1', body: '{}', overrideConfirmation: 'staging' },
    ],
    takes: { body: ['', '\0', '\uD800', body] },
    refuses: { environment: [long(5001)], body: [`${body}x`, { transaction: {} }] },
    answers: [
      {
        stringToSign: 'R-11000.00KES1',
        sizeBytes: 14,
        digestHex: 'ab',
        signature: 'AA==',
        keyId: 'k1',
        keyName: 'Main',
        keyFingerprint: 'ab12',
        spans: [
          { field: 'amount', pointer: '/transaction/amount', start: 3, end: 10, bodyStart: 5, bodyEnd: 12 },
        ],
        warnings: [
          { code: 'amount_form', message: 'It is written as 1e3.', pointer: '/transaction/amount' },
          { code: 'empty', message: 'It is empty.', pointer: null },
        ],
      },
    ],
    gives: { 'spans.0.field': ['reference', 'amount', 'country', 'service_code'] },
    withholds: { 'spans.0.field': ['currency'] },
    says: ['signing.not_json', 'keys.needed', 'vault.locked', 'environments.unknown'],
  },
  'signing.verify': {
    calls: [
      { body: '{}', signature: 'AA==' },
      { body: '{}', signature: '', publicKeyPem: 'PEM', keyId: 'k1' },
    ],
    takes: { body: [body], signature: [long(100_000)], publicKeyPem: [long(200_000)] },
    refuses: { body: [`${body}x`], signature: [long(100_001)], publicKeyPem: [long(200_001)] },
    answers: [{ valid: true, stringToSign: 'R-1', reason: 'It verifies.' }],
    says: ['signing.field_missing', 'keys.not_a_key'],
  },
});
