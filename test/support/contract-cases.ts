import { randomUUID } from 'node:crypto';
import type { Contract, MethodOutput } from '@shared/contract/contract';
import { usualSetup } from '@shared/contract/usual-setup';
import { appCases } from './app-cases';
import { balanceCases } from './balance-cases';
import { collectionCases } from './collection-cases';
import { dataCases } from './data-cases';
import { inboxCases, newestId } from './inbox-cases';
import { lensCases } from './lens-cases';
import { teamCases } from './team-cases';
import { updateCases } from './update-cases';
import {
  afterRun,
  localEnvironment as local,
  remittanceBody,
  remittanceInput,
  waitFor,
  type ContractCase,
  type Stage,
} from './contract-stage';

/** Of the data directory; saved by the case of `environments.save`. */
const staging = 'data/staging';
const reference = randomUUID();
const signedBody = remittanceBody({ reference, callbackUrl: 'http://127.0.0.1/' });

const readSandbox = (stage: Stage): Promise<MethodOutput<'sandbox.state'>> => stage.call('sandbox.state', {});
const generatedId = (stage: Stage): string => stage.get('keys.generate').id;

/**
 * One case a method, in the order in which they are run: later ones use what earlier ones made.
 *
 * A method that the contract gains fails to compile here until it has its case.
 */
export const contractCases: { [M in keyof Contract]: ContractCase<M> } = {
  'app.status': { input: {}, badInput: 'now' },
  'app.openExternal': {
    input: async (stage) => ({ url: (await readSandbox(stage)).baseUrl }),
    badInput: { url: 4 },
    refusal: { input: { url: 'file:///etc/passwd' }, code: 'app.refused_address' },
  },
  ...appCases,
  ...dataCases,
  ...updateCases,

  'environments.list': { input: {}, badInput: 7 },
  'environments.save': {
    input: {
      name: 'staging',
      kind: 'sandbox',
      baseUrl: 'https://staging.example.test',
      variables: { api_key: 'k-1234567890' },
    },
    badInput: { name: '', kind: 'sandbox', baseUrl: 'https://x.test' },
    refusal: { input: { name: 'bad', kind: 'sandbox', baseUrl: 'not an address' }, code: 'environments.*' },
  },
  'environments.bindAddress': {
    input: { id: local, address: 'http://127.0.0.1:1' },
    badInput: { id: local },
    refusal: { input: { id: 'data/nowhere', address: '' }, code: 'environments.unknown' },
  },
  'environments.revealVariable': {
    input: { id: staging, name: 'api_key' },
    badInput: { id: staging },
    refusal: { input: { id: 'data/nowhere', name: 'api_key' }, code: 'environments.unknown' },
  },
  'environments.setUp': {
    input: {
      id: staging,
      setup: { ...usualSetup, proxyUrl: 'http://127.0.0.1:3128', proxyUser: 'ann' },
      secrets: { proxyPassword: 'p-1234567890' },
    },
    badInput: { id: staging, setup: {} },
    refusal: {
      input: { id: staging, setup: { ...usualSetup, proxyUrl: 'socks5://127.0.0.1' } },
      code: 'environments.bad_setup',
    },
  },
  'environments.setSessionValue': {
    input: { id: local, name: 'amount', value: '100' },
    badInput: { id: local, name: '' },
    refusal: { input: { id: local, name: 'base_url', value: 'x' }, code: 'environments.bad_name' },
  },
  'environments.select': {
    input: { id: local },
    badInput: { id: 5 },
    refusal: { input: { id: 'data/nowhere' }, code: 'environments.unknown' },
  },

  'vault.status': { input: {}, badInput: false },
  'keys.list': { input: {}, badInput: 'all' },
  'keys.generate': { input: { name: 'Second', environment: null }, badInput: { name: 'Short', bits: 1024 } },
  'keys.inspect': {
    input: ({ secrets }) => ({ text: secrets.privateKeyPem }),
    badInput: { text: 17 },
    refusal: { input: { text: 'this is no key' }, code: 'keys.*' },
  },
  'keys.import': {
    input: ({ secrets }) => ({ name: 'Imported', text: secrets.privateKeyPem, environment: null }),
    badInput: { name: '', text: '' },
    refusal: {
      input: (stage) => ({ name: 'Public', text: stage.get('keys.generate').publicKeyPem }),
      code: 'keys.*',
    },
  },
  'keys.update': {
    input: (stage) => ({ id: generatedId(stage), name: 'Renamed' }),
    badInput: { id: 'x', name: '' },
    refusal: { input: { id: 'no-such-key', name: 'X' }, code: 'keys.unknown' },
  },
  'keys.checkPair': {
    input: (stage) => ({ id: generatedId(stage), publicKeyText: stage.get('keys.generate').publicKeyPem }),
    badInput: { id: 'x' },
    refusal: { input: { id: 'no-such-key', publicKeyText: 'x' }, code: 'keys.*' },
  },
  'keys.exportPrivate': {
    input: (stage) => ({
      id: generatedId(stage),
      passphrase: stage.secrets.passphrase,
      confirmName: 'Renamed',
    }),
    badInput: { id: 'x', passphrase: 'short', confirmName: '' },
    refusal: {
      input: (stage) => ({ id: generatedId(stage), passphrase: 'long enough', confirmName: 'Other' }),
      code: 'keys.*',
    },
  },
  'keys.delete': {
    input: async (stage) => ({
      id: (await stage.call('keys.generate', { name: 'To delete', environment: null })).id,
    }),
    badInput: {},
    refusal: { input: { id: 'no-such-key' }, code: 'keys.unknown' },
  },
  'credentials.save': {
    input: ({ secrets }) => ({
      environment: staging,
      consumerKey: secrets.consumerKey,
      consumerSecret: secrets.consumerSecret,
    }),
    badInput: { environment: staging, consumerKey: '', consumerSecret: '' },
    refusal: {
      input: ({ secrets }) => ({
        environment: 'data/nowhere',
        consumerKey: secrets.consumerKey,
        consumerSecret: secrets.consumerSecret,
      }),
      code: 'environments.unknown',
    },
  },
  'credentials.list': { input: {}, badInput: true },
  'credentials.delete': { input: { environment: staging }, badInput: { environment: null } },
  'environments.delete': {
    input: { id: staging },
    badInput: { id: [] },
    refusal: { input: { id: local }, code: 'environments.*' },
  },

  'tokens.fetch': {
    input: { environment: local, product: 'remittance' },
    badInput: { environment: local, product: 'loans' },
    refusal: { input: { environment: 'data/nowhere', product: 'payout' }, code: 'environments.unknown' },
  },
  'tokens.list': { input: {}, badInput: 1 },
  'tokens.reveal': {
    input: { environment: local, product: 'remittance' },
    badInput: { environment: local },
    refusal: { input: { environment: local, product: 'collection' }, code: 'tokens.none' },
  },
  'tokens.forget': { input: { environment: local, product: 'remittance' }, badInput: { product: 'payout' } },

  'signing.sign': {
    input: { environment: local, body: signedBody },
    badInput: { environment: local, body: { transaction: {} } },
    refusal: { input: { environment: local, body: '{"transaction":' }, code: 'signing.not_json' },
  },
  'signing.verify': {
    input: (stage) => ({
      body: signedBody,
      signature: stage.get('signing.sign').signature,
      keyId: stage.get('signing.sign').keyId,
    }),
    badInput: { body: '{}' },
    refusal: { input: { body: signedBody, signature: 'AA==', publicKeyPem: 'no key' }, code: 'keys.*' },
  },

  'sending.send': {
    input: (stage) => remittanceInput(stage, { reference }),
    badInput: {
      environment: local,
      operation: 'remittance',
      title: '',
      method: 'P OST',
      url: '',
      headers: [],
    },
    refusal: {
      input: async (stage) => ({ ...(await remittanceInput(stage, { reference })), url: 'ftp://127.0.0.1/' }),
      code: 'sending.bad_url',
    },
  },
  'sending.cancel': { input: { sendId: 'none-under-way' }, badInput: {} },
  'history.list': { input: { limit: 10 }, badInput: { limit: 0 } },
  'history.get': {
    input: (stage) => ({ id: stage.get('sending.send').id }),
    badInput: { id: 1 },
    refusal: { input: { id: 'nothing' }, code: 'history.unknown' },
  },
  'history.readBody': {
    input: (stage) => ({ id: stage.get('sending.send').id, offset: 0, length: 1000 }),
    badInput: { id: 'x', offset: -1, length: 1 },
    refusal: { input: { id: 'nothing', offset: 0, length: 1 }, code: 'history.unknown' },
  },
  'history.pin': {
    input: (stage) => ({ ids: [stage.get('sending.send').id], isPinned: true }),
    badInput: { ids: [], isPinned: true },
  },
  'history.follow': {
    input: { collectionId: 'c1', path: 'a.http', toPath: 'b.http' },
    badInput: { collectionId: '', path: 'a.http', toPath: 'b.http' },
  },
  'history.delete': { input: { ids: ['gone'] }, badInput: { ids: 'all' } },
  'lookups.status': {
    input: { environment: local, product: 'remittance', by: 'transaction_reference', value: reference },
    badInput: { environment: local, product: 'remittance', by: 'name', value: 'x' },
    refusal: {
      input: { environment: 'data/nowhere', product: 'payout', by: 'payment_uuid', value: '1' },
      code: 'environments.unknown',
    },
  },
  ...balanceCases,
  'webhooks.sendTest': {
    input: async (stage) => ({
      environment: local,
      callbackUrl: (await stage.call('app.status', {})).environment.variables['callback_url'] ?? '',
      payload: `{"status":"SUCCESS","client_reference":"${reference}","amount":1000.00}`,
    }),
    badInput: { environment: local },
    refusal: {
      input: { environment: 'data/nowhere', callbackUrl: 'http://127.0.0.1/' },
      code: 'environments.unknown',
    },
  },

  ...inboxCases,
  'journey.list': { input: { search: reference }, badInput: { limit: 501 } },
  'journey.get': {
    input: { reference },
    badInput: { reference: null },
    refusal: { input: { reference: 'never sent' }, code: 'journey.unknown' },
  },
  'inbox.delete': { input: (stage) => ({ ids: [newestId(stage)] }), badInput: { ids: [1] } },
  'forwarding.status': { input: {}, badInput: 3 },
  'forwarding.set': {
    input: { isOn: true, url: 'http://127.0.0.1:9', filter: 'status == NEVER' },
    badInput: { isOn: 'yes', url: '' },
    refusal: { input: { isOn: true, url: 'ftp://x' }, code: 'listener.bad_forward' },
  },
  'forwarding.sendMissed': { input: {}, badInput: [] },
  'forwarding.attempts': { input: { id: 'nothing' }, badInput: { id: 5 } },
  'tunnel.status': { input: {}, badInput: 1 },
  'tunnel.start': {
    input: { way: 'cmd:sleep 30' },
    badInput: { way: null },
    refusal: { input: { way: 'telnet' }, code: 'tunnels.bad_choice' },
  },
  'tunnel.stop': { input: {}, badInput: 0 },
  'listener.status': {
    input: {},
    badInput: '',
    refusal: { input: { id: 'nobody' }, code: 'listener.unknown' },
  },
  'listener.list': { input: {}, badInput: '' },
  'listener.remove': {
    input: async (stage) => {
      await stage.call('listener.start', { id: 'second', port: 0, isHttps: true });
      return { id: 'second' };
    },
    badInput: { id: 'No Id' },
    refusal: { input: { id: 'nobody' }, code: 'listener.unknown' },
  },
  'listener.rules': {
    input: {},
    badInput: '',
    refusal: { input: { id: 'nobody' }, code: 'listener.unknown' },
  },
  'listener.setRules': {
    input: { text: '{"version":1,"rules":[{"name":"one","when":{"path":"/one"},"answer":{"status":202}}]}' },
    badInput: {},
    refusal: { input: { text: '{}' }, code: 'listener.bad_rules' },
  },
  'listener.tryRules': {
    input: (stage) => ({
      text: '{"version":1,"rules":[{"answer":{"body":"{{method}}"}}]}',
      webhookId: stage.get('inbox.replay') && stage.get('inbox.list').webhooks[1]!.id,
    }),
    badInput: {},
    refusal: { input: { text: '{"version":1,"rules":[]}', webhookId: 'zzzz' }, code: 'inbox.unknown' },
  },
  'listener.setRule': {
    input: { respondStatus: 202, delayMs: 0 },
    badInput: { respondStatus: 99, delayMs: 0 },
  },
  'listener.stop': { input: {}, badInput: 'soft' },
  'listener.start': {
    input: { port: 0 },
    badInput: { port: 70_000 },
    refusal: {
      input: async (stage) => ({
        port: Number(new URL((await stage.call('app.status', {})).environment.baseUrl).port),
      }),
      code: 'listener.port_in_use',
    },
  },

  'sandbox.status': { input: {}, badInput: 0 },
  'sandbox.state': { input: { limit: 100 }, badInput: { limit: 0 } },
  'sandbox.setPaymentState': {
    input: async (stage) => {
      await stage.call(
        'sending.send',
        await remittanceInput(stage, { reference: randomUUID(), account: '254712340003' }),
      );
      const { payments } = await readSandbox(stage);
      return {
        paymentUuid: payments.find(({ state }) => state === 'processing')!.paymentUuid,
        state: 'succeeded',
      };
    },
    badInput: { paymentUuid: '1', state: 'lost' },
    refusal: { input: { paymentUuid: '0', state: 'failed' }, code: 'sandbox.*' },
  },
  'sandbox.changeWallet': {
    input: { product: 'payout', currency: 'KES', change: { kind: 'top_up', amount: '10.50' } },
    badInput: { product: 'payout', currency: 'KES', change: { kind: 'top_up', amount: '-1' } },
    refusal: {
      input: { product: 'payout', currency: 'XXX', change: { kind: 'empty' } },
      code: 'sandbox.wallet_unknown',
    },
  },
  'sandbox.advanceClock': { input: { seconds: 60 }, badInput: { seconds: -1 } },
  'sandbox.redeliver': {
    input: async (stage) => {
      const { deliveries } = await waitFor(
        () => readSandbox(stage),
        (state) => state.deliveries.some((one) => one.state === 'delivered'),
      );
      return { deliveryId: deliveries.find(({ state }) => state === 'delivered')!.id };
    },
    badInput: {},
    refusal: { input: { deliveryId: 'none' }, code: 'sandbox.*' },
  },
  'sandbox.revealWebhookSecret': { input: {}, badInput: 'please' },
  'sandbox.explain': {
    input: async (stage) => {
      const refused = await remittanceInput(stage, {
        reference: randomUUID(),
        signature: 'bm90IGEgc2lnbmF0dXJl',
      });
      await stage.call('sending.send', refused);
      const { requests } = await readSandbox(stage);
      return { requestId: requests.find(({ verdict }) => verdict === 'signature')!.id };
    },
    badInput: { requestId: 4 },
    refusal: { input: { requestId: 'none' }, code: 'sandbox.*' },
  },
  'sandbox.makeBackendCredentials': { input: {}, badInput: 'please' },
  'sandbox.listRequests': {
    input: { limit: 10, operation: 'remittance', statusClass: '4xx', text: 'x-custom-signature' },
    badInput: { statusClass: 'four' },
  },
  'sandbox.getRequest': {
    input: async (stage) => ({ requestId: (await readSandbox(stage)).requests[0]!.id }),
    badInput: { requestId: 4 },
    refusal: { input: { requestId: 'none' }, code: 'sandbox.request_unknown' },
  },
  ...lensCases,
  ...teamCases,
  'sandbox.setFaults': {
    input: { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 },
    badInput: { latencyMs: 0, errorRate: 2, dropRate: 0, slowBodyMs: 0 },
  },
  'sandbox.updateSettings': { input: { settleMs: 200 }, badInput: { retries: 'often' } },
  'sandbox.registerKeys': {
    input: (stage) => ({ pems: [stage.get('keys.generate').publicKeyPem], mode: 'add' }),
    badInput: { pems: [], mode: 'add' },
    refusal: {
      input: ({ secrets }) => ({ pems: [secrets.privateKeyPem], mode: 'add' }),
      code: '*',
    },
  },
  'sandbox.reset': { input: {}, badInput: 'all' },
  'sandbox.stop': { input: {}, badInput: 3 },
  'sandbox.start': {
    input: { port: 0 },
    badInput: { port: -1 },
    refusal: {
      input: async (stage) => {
        const { url } = await stage.call('listener.start', { port: 0 });
        return { port: Number(new URL(url!).port) };
      },
      code: 'sandbox.port_in_use',
    },
  },

  ...collectionCases,

  'running.plan': {
    input: (stage) => ({
      environment: local,
      collectionId: stage.get('collections.list').activeId!,
      path: 'Payouts',
    }),
    badInput: { environment: local, path: 1 },
    refusal: { input: { environment: local, collectionId: 'none', path: '' }, code: 'collections.not_open' },
  },
  'running.start': {
    input: (stage) => ({
      environment: local,
      collectionId: stage.get('collections.list').activeId!,
      path: 'Payouts/Salary payout.http',
    }),
    badInput: { environment: local, path: 'Payouts', isBail: 'yes' },
    refusal: {
      input: (stage) =>
        afterRun(stage, {
          environment: 'data/nowhere',
          collectionId: stage.get('collections.list').activeId!,
          path: '',
        }),
      code: 'environments.unknown',
    },
  },
  'running.get': { input: {}, badInput: 1 },
  'running.cancel': { input: (stage) => ({ id: stage.get('running.start').id }), badInput: {} },

  'imports.run': {
    input: async (stage) => ({
      source: { kind: 'text', name: 'pasted', text: "curl -H 'X-Api-Key: k-123456' http://127.0.0.1/probe" },
      target: { kind: 'collection', collectionId: (await stage.call('collections.list', {})).activeId! },
    }),
    badInput: {
      source: { kind: 'text', name: 'pasted' },
      target: { kind: 'collection', collectionId: 'none' },
    },
    refusal: {
      input: {
        source: { kind: 'text', name: 'pasted', text: 'nothing of the kind' },
        target: { kind: 'directory', directory: 'not/whole' },
      },
      code: 'import.bad_path',
    },
  },

  'doctor.diagnose': {
    input: (stage) => ({
      diagnosisId: 'contract',
      body: signedBody,
      signature: stage.get('signing.sign').signature.replaceAll('+', '-').replaceAll('/', '_'),
      keyId: stage.get('signing.sign').keyId,
    }),
    badInput: { diagnosisId: 'x', body: '{}' },
    refusal: {
      input: { diagnosisId: 'x', body: signedBody, signature: 'AA==', keyId: 'no-such-key' },
      code: 'keys.unknown',
    },
  },
  'doctor.cancel': { input: { diagnosisId: 'none' }, badInput: {} },

  'vault.setPassphrase': {
    input: ({ secrets }) => ({ current: null, next: secrets.passphrase }),
    badInput: { current: null, next: 'short' },
    refusal: {
      input: { current: 'not the one in force', next: 'another passphrase' },
      code: 'vault.wrong_passphrase',
    },
  },
  'vault.lock': { input: {}, badInput: 'please' },
  'vault.unlock': {
    input: ({ secrets }) => ({ passphrase: secrets.passphrase }),
    badInput: {},
    refusal: { input: { passphrase: 'not the one' }, code: 'vault.wrong_passphrase' },
  },
};
