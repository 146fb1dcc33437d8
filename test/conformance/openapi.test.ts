import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { collection, MISSING, payout, referenceOf, remittance } from '../support/bodies';
import { paths, startService, type Answer, type Service } from './support/service-client';
import { startReceiver } from './support/webhook-receiver';

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
}
interface ApiDocument {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      { responses: Record<string, { content: Record<string, { schema: Schema }>; headers: object }> }
    >
  >;
  components: { schemas: Record<string, object> };
}

let service: Service;
let api: ApiDocument;
const compiled = new Map<string, ValidateFunction>();
const seen = new Set<string>();

beforeAll(async () => {
  service = await startService();
  const answer = await service.call('GET', '/_sandbox/openapi.json');
  api = answer.json as ApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(api.components.schemas))
    compiled.set(name, ajv.compile(schema));
});
beforeEach(() => service.reset());
afterAll(() => service.close());

/** Holds one live answer against what the document says of this operation and HTTP status. */
function expectDescribed(path: string, method: string, answer: Answer): void {
  const shown = `${method} ${path} ${answer.httpStatus}: ${answer.text}`;
  const response = api.paths[path]?.[method]?.responses[String(answer.httpStatus)];
  expect(response, shown).toBeDefined();
  const { schema } = response!.content['application/json']!;
  const names = (schema.oneOf ?? [schema]).map(({ $ref }) => $ref!.split('/').at(-1)!);
  const fitting = names.filter((name) => compiled.get(name)!(answer.json));
  expect(
    fitting,
    `${shown}\n${JSON.stringify(names.map((name) => compiled.get(name)!.errors))}`,
  ).toHaveLength(1);
  for (const name of Object.keys(response!.headers))
    expect(answer.headers[name.toLowerCase()], shown).toBeDefined();
  seen.add(`${path} ${answer.httpStatus} ${fitting[0]!}`);
}

test.each([
  ['9 OpenAPI: live answers of the remittance are as described', 'remittance', remittance],
  ['9 OpenAPI: live answers of the payout are as described', 'payout', payout],
  ['9 OpenAPI: live answers of the collection are as described', 'collection', collection],
] as const)('%s', async (_name, product, make) => {
  const path = paths[product];
  const check = (answer: Answer) => expectDescribed(path, 'post', answer);
  const body = make();
  check(await service.initiate(product, body));
  check(await service.initiate(product, body));
  check(await service.initiate(product, make({ 'transaction.amount': MISSING, callback_url: 7 })));
  check(await service.initiate(product, make({ 'transaction.currency': 'EUR' })));
  check(await service.post(path, '{'));
  check(await service.post(path, {}));
  check(await service.post(path, {}, { authorization: 'Bearer x' }));
  check(await service.post(path, body, await service.bearer(product === 'payout' ? 'remittance' : 'payout')));
  check(await service.call('PUT', path, '{}'));
  await service.admin('PUT', 'settings', { acceptance_form: '100', bad_request_form: 'error_object' });
  check(await service.initiate(product, make()));
  check(await service.initiate(product, make({ 'transaction.amount': 'x' })));
  await service.admin('PUT', 'settings', { acceptance_form: '200.100', bad_request_form: 'envelope' });
  if (product !== 'collection') {
    check(await service.initiate(product, make({ 'recipient.account': '254711110007' })));
    check(await service.initiate(product, make({ 'recipient.account': '254711110008' })));
    check(await service.post(path, body, await service.bearer(product)));
  }
});

test('9 OpenAPI: live answers of the status query are as described', async () => {
  const check = (answer: Answer) => expectDescribed(paths.status, 'post', answer);
  for (const [account, state] of [
    ['254711111111', 'processing'],
    ['254711110001', 'failed'],
  ] as const) {
    const body = payout({ 'recipient.account': account });
    await service.initiate('payout', body);
    if (state === 'failed') await service.advance(3600);
    const answer = await service.status('payout', { transaction_reference: referenceOf(body) });
    expect(answer.json.data.state).toBe(state);
    check(answer);
    check(await service.status('remittance', { transaction_reference: referenceOf(body) }));
  }
  check(await service.status('payout', {}));
  check(await service.status('payout', 'x'));
  check(await service.status('payout', { payment_uuid: '1' }));
  check(await service.post(paths.status, {}));
  check(await service.call('GET', paths.status));
});

test('9 OpenAPI: live answers of the balances are as described', async () => {
  const check = (answer: Answer) => expectDescribed(paths.balances, 'get', answer);
  for (const product of ['payout', 'remittance', 'collection'] as const)
    check(await service.balances(product));
  check(await service.balances('payout', 'EUR'));
  check(await service.call('GET', paths.balances));
  check(await service.call('POST', paths.balances, '{}'));
});

test('9 OpenAPI: live answers of the token endpoint are as described', async () => {
  const check = (answer: Answer) => expectDescribed(paths.token, 'post', answer);
  check(await service.requestToken('payout'));
  check(await service.requestToken('none'));
  check(await service.requestToken('payout', { consumer_key: 'x' }));
  check(await service.post(paths.token, '['));
  check(await service.call('GET', paths.token));
});

test('9 OpenAPI: live answers of the simulator are as described', async () => {
  const check = (answer: Answer) => expectDescribed(paths.sendTest, 'post', answer);
  check(await service.post(paths.sendTest, { callback_url: 'http://127.0.0.1:9/' }));
  check(await service.post(paths.sendTest, { callback_url: 'https://example.invalid/' }));
  check(await service.post(paths.sendTest, {}));
  check(await service.post(paths.sendTest, ''));
});

test('9 OpenAPI: faults and rate limits are as described, for every operation', async () => {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [path, method] as const),
  );
  const ask = async (path: string, method: string) =>
    method === 'get'
      ? service.call('GET', path, undefined, await service.bearer('payout'))
      : service.post(path, {}, await service.bearer('payout'));
  await service.bearer('payout');
  await service.admin('PUT', 'faults', { error_rate: 1 });
  for (const [path, method] of all) {
    const answer = await ask(path, method);
    expect(answer.httpStatus).toBe(500);
    expectDescribed(path, method, answer);
  }
  await service.admin('PUT', 'faults', {});
  await service.admin('PUT', 'settings', { rate_limit: 1 });
  for (const [path, method] of all) {
    const answers = await Promise.all([ask(path, method), ask(path, method), ask(path, method)]);
    const refused = answers.find(({ httpStatus }) => httpStatus === 429);
    if (refused) expectDescribed(path, method, refused);
  }
  await service.admin('PUT', 'settings', { rate_limit: 0 });
});

test('9 OpenAPI: webhooks are as described', async () => {
  const receiver = await startReceiver();
  try {
    await service.initiate('payout', payout({ callback_url: receiver.url, meta: MISSING }));
    await service.advance(3600);
    await service.post(paths.sendTest, { callback_url: receiver.url });
    for (const webhook of await receiver.waitFor(2)) {
      expect(compiled.get('Webhook')!(webhook.json), webhook.text).toBe(true);
    }
  } finally {
    await receiver.close();
  }
});

test('9 OpenAPI: request bodies of these tests are as described, wrong ones are not', () => {
  const accepts = (name: string, body: unknown) => compiled.get(name)!(JSON.parse(JSON.stringify(body)));
  expect(accepts('RemittanceRequest', remittance())).toBe(true);
  expect(accepts('PayoutRequest', payout())).toBe(true);
  expect(accepts('CollectionRequest', collection())).toBe(true);
  expect(accepts('PayoutRequest', payout({ 'transaction.amount': 1.5 }))).toBe(false);
  expect(accepts('RemittanceRequest', remittance({ 'originator.id_type': 'CR12' }))).toBe(false);
});
