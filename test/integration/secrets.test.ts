import { createPrivateKey, randomUUID } from 'node:crypto';
import { basename } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MethodName } from '@shared/contract/contract';
import { contractCases } from '../support/contract-cases';
import { openVault } from '../support/open-services';
import { openCliHost, openWebHost, type ContractClient } from '../support/contract-clients';
import {
  createStage,
  localEnvironment,
  remittanceInput,
  waitFor,
  writeInput,
  type ContractCase,
  type PlayedStage,
} from '../support/contract-stage';
import { findSentinels, type Finding } from '../support/secrets';
import { stopTeamServer } from '../support/team-cases';
import { stopReleaseServer } from '../support/update-cases';
import { makeTemporaryFolder } from '../support/temporary';

/** What left the host, by where it came out. */
interface Traffic {
  where: string;
  text: string;
}

const otherDirectory = makeTemporaryFolder('collection');

afterAll(stopTeamServer);
afterAll(stopReleaseServer);

/** These alone may show a secret, because the user pressed 'show': a token, what webhooks are verified with. */
const revealing = ['tokens.reveal', 'sandbox.revealWebhookSecret'];

/** Lets nothing pass unseen. */
function record(client: ContractClient, traffic: Traffic[]): ContractClient {
  return {
    ...client,
    async call(method, input) {
      const reply = await client.call(method, input);
      if (!revealing.includes(method))
        traffic.push({ where: `reply of ${method}`, text: JSON.stringify(reply) });
      return reply;
    },
  };
}

/** A consumer key is a name, not a secret: it is the `sub` of every token, and shown with its claims. */
function forgetConsumerKey({ secrets }: PlayedStage): void {
  for (const trace of [...secrets.traces.keys()]) {
    if (trace.startsWith('consumerKey ')) secrets.traces.delete(trace);
  }
}

/** The sandbox signs in with the planted credentials, and the planted key signs for it. */
async function plant(stage: PlayedStage): Promise<void> {
  const { consumerKey, consumerSecret, privateKeyPem } = stage.secrets;
  await stage.call('credentials.save', { environment: localEnvironment, consumerKey, consumerSecret });
  await stage.call('sandbox.stop', {});
  await stage.call('sandbox.start', { port: 0 });
  const { key } = await stage.call('keys.import', {
    name: 'Planted',
    text: privateKeyPem,
    environment: null,
  });
  await stage.call('keys.update', { id: key.id, environment: localEnvironment });
  await stage.call('sandbox.registerKeys', { pems: [key.publicKeyPem], mode: 'add' });
}

/** Token, signed remittance, webhook, status, balance: with the planted key and credentials. */
async function playJourney(stage: PlayedStage): Promise<void> {
  for (const product of ['remittance', 'payout', 'collection'] as const) {
    await stage.call('tokens.fetch', { environment: localEnvironment, product, isForced: true });
    const { token } = await stage.call('tokens.reveal', { environment: localEnvironment, product });
    stage.secrets.add(`issued ${product} token`, token);
    stage.secrets.add(`signature of the ${product} token`, token.split('.')[2]!);
  }
  const { secret } = await stage.call('sandbox.revealWebhookSecret', {});
  stage.secrets.add('webhook secret', secret);
  const reference = randomUUID();
  const { keys } = await stage.call('keys.list', {});
  const keyId = keys.find(({ name }) => name === 'Planted')!.id;
  const sent = await stage.call('sending.send', await remittanceInput(stage, { reference, keyId }));
  expect(sent.reading?.outcome).toBe('accepted');
  await waitFor(
    () => stage.call('inbox.list', { search: reference }),
    ({ totalCount }) => totalCount > 0,
  );
  await stage.call('lookups.status', {
    environment: localEnvironment,
    product: 'remittance',
    by: 'transaction_reference',
    value: reference,
  });
  await stage.call('balances.fetch', { environment: localEnvironment, product: 'remittance' });
  await stage.call('journey.get', { reference });
}

/** Secrets where a hurried user puts them: in a request of his own, in the wrong field, in a call that fails. */
async function playMishaps(stage: PlayedStage, client: ContractClient): Promise<void> {
  const { consumerKey, consumerSecret, passphrase, privateKeyPem, token } = stage.secrets;
  const { environment } = await stage.call('app.status', {});
  const base = { environment: localEnvironment, method: 'POST' };
  await stage.call('sending.send', {
    ...base,
    operation: 'token',
    title: 'Token by hand',
    url: `${environment.baseUrl}/auth/v1/token`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ consumer_key: consumerKey, consumer_secret: consumerSecret, product: 'payout' }),
  });
  await stage.call('sending.send', {
    ...base,
    operation: 'other',
    title: 'Token pasted',
    url: `${environment.baseUrl}/payments/v1/wallets/balances`,
    headers: [['Authorization', `Bearer ${token}`]],
    body: null,
  });
  const damaged = privateKeyPem.replace(/.{40}\n-----END/, '\n-----END');
  const mishaps: [MethodName, unknown][] = [
    ['sending.send', { ...base, operation: 'other', title: 'Down', url: 'http://127.0.0.1:1/', headers: [['Authorization', `Bearer ${token}`]], body: null }],
    ['sending.send', { ...base, operation: 'other', title: '', url: 7, headers: [['Authorization', token]], body: passphrase }],
    ['keys.inspect', { text: privateKeyPem, passphrase: 7 }],
    ['keys.inspect', { text: damaged, passphrase }],
    ['keys.import', { name: '', text: privateKeyPem, passphrase }],
    ['keys.import', { name: 'Damaged', text: damaged }],
    ['keys.checkPair', { id: 'none', publicKeyText: privateKeyPem }],
    ['signing.verify', { body: '{}', signature: 'AA==', publicKeyPem: privateKeyPem }],
    ['doctor.diagnose', { diagnosisId: 'm', body: '{}', signature: privateKeyPem, publicKeyPem: privateKeyPem }],
    ['sandbox.registerKeys', { pems: [privateKeyPem], mode: 'add' }],
    ['credentials.save', { environment: 'nowhere', consumerKey, consumerSecret }],
    ['credentials.save', { environment: localEnvironment, consumerKey, consumerSecret: [consumerSecret] }],
    ['vault.unlock', { passphrase: `${passphrase} not` }],
    ['vault.setPassphrase', { current: passphrase, next: 1 }],
    ['keys.exportPrivate', { id: 'none', passphrase, confirmName: '' }],
  ]; // prettier-ignore
  for (const [method, input] of mishaps) await client.call(method, input);
}

/** Every method of the contract once, rightly, wrongly, and so that it is refused. */
async function playEveryMethod(stage: PlayedStage, client: ContractClient): Promise<void> {
  for (const method of Object.keys(contractCases) as MethodName[]) {
    const { input, badInput, refusal } = contractCases[method] as ContractCase<MethodName>;
    const reply = await client.call(method, await writeInput(input, stage));
    if (reply.ok) stage.keep(method, reply.value);
    await client.call(method, badInput);
    if (refusal) await client.call(method, await writeInput(refusal.input, stage));
  }
}

/** The keys that the app made by itself are secrets, too: opened as the next start of the app would. */
async function addGeneratedKeys(client: ContractClient, stage: PlayedStage): Promise<number> {
  const vault = openVault(client.dataDirectory, stage.secrets.passphrase);
  try {
    const keys = await vault.listPublicKeys();
    for (const { id, name, environment } of keys) {
      const { privateKey } = await vault.getSigningKey(environment ?? localEnvironment, id, localEnvironment);
      stage.secrets.addKey(`key '${name}'`, privateKey);
    }
    return keys.length;
  } finally {
    vault.close();
  }
}

/** The sandbox plays the service, which has to keep what it signs webhooks with: its own database alone may. */
const isKeptByTheService = ({ secret, where }: Finding): boolean =>
  secret.startsWith('webhook secret ') && basename(where).startsWith('sandbox.db');

describe.each([
  ['the web host', openWebHost],
  ['the command line', openCliHost],
] as const)('no secret leaves %s', (_name, open) => {
  const traffic: Traffic[] = [];
  let client: ContractClient;
  let stage: PlayedStage;
  let keyCount = 0;
  const searchFiles = (): Finding[] =>
    findSentinels(stage.secrets, { directory: client.dataDirectory }).filter(
      (one) => !isKeptByTheService(one),
    );
  const search = (name: string, text: string) => findSentinels(stage.secrets, { text, name });

  beforeAll(async () => {
    client = record(await open(), traffic);
    stage = createStage(client, otherDirectory);
    forgetConsumerKey(stage);
    await plant(stage);
    await playJourney(stage);
    await playMishaps(stage, client);
    await playEveryMethod(stage, client);
    await waitFor(
      () => Promise.resolve(client.events.length),
      (count) => count > 5,
    );
  }, 120_000);
  afterAll(() => client.removeData());

  it('in a file of the data directory while it runs, write-ahead logs included', () => {
    expect(searchFiles()).toEqual([]);
  });

  it('in a file of the data directory when it has ended', async () => {
    await client.stop();
    keyCount = await addGeneratedKeys(client, stage);
    expect(keyCount).toBeGreaterThanOrEqual(3);
    expect(searchFiles()).toEqual([]);
    expect(findSentinels(stage.secrets, { directory: otherDirectory })).toEqual([]);
  });

  it('in a reply, whatever the call', () => {
    expect(traffic.length).toBeGreaterThan(150);
    expect(traffic.flatMap(({ where, text }) => search(where, text))).toEqual([]);
  });

  it('in an event', () => {
    expect(client.events.length).toBeGreaterThan(5);
    expect(client.events.flatMap(({ name, payload }) => search(name, JSON.stringify(payload)))).toEqual([]);
  });

  it('on the terminal', () => {
    expect(search('terminal', client.readOutput())).toEqual([]);
  });
});

it('the search finds what it is to find', () => {
  const { secrets } = createStage({} as ContractClient, '');
  const pem = secrets.privateKeyPem;
  const der = createPrivateKey(pem).export({ type: 'pkcs1', format: 'der' });
  for (const text of [
    pem,
    JSON.stringify({ pem }),
    der.toString('hex'),
    secrets.token,
    secrets.consumerSecret,
  ]) {
    expect(findSentinels(secrets, { text })).not.toEqual([]);
  }
});
