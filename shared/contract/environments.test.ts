import { environmentMethods } from './environments';
import { checkMethods, long, named } from './testing/check-methods';
import { environments } from './testing/sound-answers';
import { usualSetup } from './usual-setup';

const profile = { ...usualSetup.profile, webhookStates: named({}) };
const setup = { ...usualSetup, profile };
const ids = { id: ['', long(5000), 'c1/../data', '__proto__'] };
const noIds = { id: [long(5001)] };

checkMethods(environmentMethods, {
  'environments.list': {
    calls: [{}],
    bounded: ['environments.*.setup'],
    answers: [
      {
        environments,
        faults: [
          { collectionId: 'c1', file: 'http-client.env.json', line: 3, message: 'No comma.', remarkOn: 'v1' },
          { collectionId: 'c1', file: 'http-client.env.json', line: 3, message: 'No comma.' },
        ],
        shared: [{ collectionId: 'c1', variables: named({ country: 'KE', constructor: 'x' }) }],
      },
      { environments: [] },
    ],
    withholds: { 'shared.0.variables': [{ country: 1 }], 'environments.0.variables': [{ a: null }, []] },
    says: ['environments.insecure'],
  },
  'environments.select': {
    calls: [{ id: 'local' }],
    takes: ids,
    refuses: noIds,
    bounded: ['setup'],
    answers: environments,
    gives: {
      kind: ['local', 'sandbox', 'production'],
      source: ['builtin', 'data', 'collection', 'run'],
      sealedParts: [['proxyPassword', 'clientKey', 'clientKeyPassphrase'], []],
      lastReferences: [{ payout: '1', remittance: '2', collection: '3' }],
      variables: [JSON.parse('{"__proto__":"1","constructor":"2"}')],
    },
    withholds: {
      kind: ['live', ''],
      source: ['cloud'],
      sealedParts: [['password']],
      lastReferences: [{ loans: '1' }, { payout: 1 }],
      session: [{ amount: 100 }],
    },
    says: ['environments.unknown'],
  },
  'environments.save': {
    calls: [
      { name: 'staging', kind: 'sandbox', baseUrl: 'https://staging.example.test' },
      {
        id: 'data/old',
        name: 'staging',
        kind: 'production',
        baseUrl: '',
        variables: named({ api_key: '{{vault.api_key}}' }),
        inClear: ['pin'],
      },
    ],
    becomes: {
      name: 'staging',
      kind: 'sandbox',
      baseUrl: 'https://staging.example.test',
      variables: {},
      inClear: [],
    },
    takes: { name: ['a', long(5000)], variables: [JSON.parse('{"__proto__":"1","constructor":"2"}')] },
    // The sandbox's own is made by the app alone.
    refuses: {
      ...noIds,
      name: ['', long(5001)],
      kind: ['local', 'live'],
      variables: [{ a: 1 }, { a: null }, []],
    },
    bounded: ['setup'],
    answers: environments,
    says: ['environments.bad_url'],
  },
  'environments.setUp': {
    calls: [
      { id: 'local', setup },
      {
        id: 'local',
        setup,
        secrets: named({ proxyPassword: 'p', clientKey: '', clientKeyPassphrase: long(65_536) }),
      },
    ],
    becomes: { id: 'local', setup, secrets: {} },
    takes: {
      'setup.pathForm': ['as_written', 'plain', 'api'],
      'setup.proxyUrl': [long(2000)],
      'setup.proxyUser': [long(300)],
      'setup.ca': [long(256 * 1024)],
      'setup.clientCertificate': [long(256 * 1024)],
      'setup.profile.tokenPath': [long(500)],
      'setup.profile.requestNames': [{ consumerKey: long(200), consumerSecret: long(200), product: '' }],
      'setup.profile.expiresInUnit': ['seconds', 'milliseconds'],
      'setup.profile.credentials': ['shared', 'per_product'],
      'setup.profile.webhookStates': [
        { A: 'processing', B: 'succeeded', C: 'failed', [long(60)]: 'canceled' },
      ],
    },
    refuses: {
      ...noIds,
      'setup.pathForm': ['v1', ''],
      'setup.proxyUrl': [long(2001)],
      'setup.proxyUser': [long(301)],
      'setup.ca': [long(256 * 1024 + 1)],
      'setup.clientCertificate': [long(256 * 1024 + 1)],
      'setup.profile.tokenPath': [long(501)],
      'setup.profile.requestNames.product': [long(201)],
      'setup.profile.answerNames.accessToken': [long(201)],
      'setup.profile.expiresInUnit': ['minutes'],
      'setup.profile.credentials': ['mine'],
      'setup.profile.webhookStates': [{ A: 'paid' }, { [long(61)]: 'failed' }, ['failed']],
      secrets: [{ password: 'p' }, { proxyPassword: 1 }, { clientKey: long(65_537) }, []],
    },
    bounded: ['setup'],
    answers: environments,
    says: ['environments.bad_setup', 'vault.locked'],
  },
  'environments.setSessionValue': {
    calls: [
      { id: 'local', name: 'amount', value: '100' },
      { id: 'local', name: 'amount', value: null },
    ],
    takes: { name: [long(300), '__proto__'], value: ['', long(64 * 1024)] },
    refuses: { ...noIds, name: ['', long(301)], value: [long(64 * 1024 + 1), 100] },
    bounded: ['setup'],
    answers: environments,
    says: ['environments.bad_name'],
  },
  'environments.bindAddress': {
    calls: [
      { id: 'c1/staging', address: 'https://staging.example.test' },
      { id: 'c1/staging', address: '', confirmation: 'staging' },
    ],
    takes: { address: [long(5000)], confirmation: [long(5000)] },
    refuses: { ...noIds, address: [long(5001)], confirmation: [long(5001)] },
    bounded: ['setup'],
    answers: environments,
    says: ['environments.not_confirmed'],
  },
  'environments.revealVariable': {
    calls: [{ id: 'local', name: 'api_key' }],
    takes: { name: [long(300)] },
    refuses: { ...noIds, name: [long(301)] },
    answers: [{ value: 'k-1', hideAfterMs: 10_000 }],
    says: ['environments.no_secret', 'vault.locked'],
  },
  'environments.delete': {
    calls: [{ id: 'data/staging' }],
    takes: ids,
    refuses: noIds,
    answers: [{}],
    says: ['environments.reserved'],
  },
});
