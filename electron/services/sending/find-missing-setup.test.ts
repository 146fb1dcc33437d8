import { expect, it } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import { createSendingService, type SendingDeps } from './create-sending-service';
import { findMissingSetUp, type SetUpDeps } from './find-missing-setup';

const fail = (code: ConstructorParameters<typeof AppError>[0], message: string) => () =>
  Promise.reject(new AppError(code, message));

function setUp(getSigningKey = fail('keys.none_for_environment', 'No key.')) {
  const asked: string[] = [];
  const deps: SetUpDeps = {
    keys: { getSigningKey },
    tokens: {
      readCredentials: () => Promise.resolve(null),
      requireCredentials(_environment, product) {
        asked.push(product);
        return fail('tokens.no_credentials', `No credentials of ${product}.`)();
      },
    },
    environments: {
      requireBound: (id) =>
        Promise.resolve({ id, name: id, label: id, baseUrl: 'http://127.0.0.1:1', setup: usualSetup }),
      readSecret(_id, name) {
        asked.push(name);
        return name === 'there' ? Promise.resolve('x') : fail('environments.no_secret', `No ${name}.`)();
      },
    },
  };
  return { deps, asked };
}

const request = (headers: [string, string][], body: string | null = null) => ({
  operation: 'payout' as const,
  method: 'POST',
  url: 'http://127.0.0.1:1/x',
  headers,
  body,
});
const pay = request(
  [
    ['Authorization', 'Bearer {{token.payout}}'],
    ['X-Custom-Signature', '{{signature}}'],
  ],
  '{"a":"{{vault.gone}} {{vault.there}}"}',
);
const messages = (errors: readonly AppError[]): string[] => errors.map(({ message }) => message);

it('lists all that the vault lacks of what requests ask for, and asks for each once', async () => {
  const { deps, asked } = setUp();
  const collect = request([['Authorization', 'Bearer {{token.collection}}']]);
  expect(messages(await findMissingSetUp(deps, 'team', [pay, pay, collect]))).toEqual([
    'No gone.',
    'No key.',
    'No credentials of payout.',
    'No credentials of collection.',
  ]);
  expect(asked).toEqual(['gone', 'there', 'payout', 'collection']);
});

it('asks for nothing where the requests ask for nothing', async () => {
  const { deps, asked } = setUp();
  expect([await findMissingSetUp(deps, 'team', [request([])]), asked]).toEqual([[], []]);
});

it('ends with a vault that cannot be asked, after what is known to be lacking', async () => {
  const { deps, asked } = setUp(fail('vault.locked', 'Locked.'));
  expect(messages(await findMissingSetUp(deps, 'team', [pay]))).toEqual(['No gone.', 'Locked.']);
  expect(asked).toEqual(['gone', 'there']);
});

it('is what a request is refused with that was sent without it', async () => {
  const { deps } = setUp();
  const sending = createSendingService({ ...deps, requestTimeoutMs: () => 1000 } as unknown as SendingDeps);
  await expect(
    sending.send({ ...pay, environment: 'team', identity: null, title: 'Pay' }),
  ).rejects.toMatchObject({
    code: 'environments.no_secret',
    message: 'No gone. No key. No credentials of payout.',
  });
});

it('looks for no more than a reader can read of, and says how many it left', async () => {
  const { deps, asked } = setUp();
  const body = Array.from({ length: 5000 }, (_, index) => `{{vault.v${index}}}`).join(' ');
  const told = messages(await findMissingSetUp(deps, 'team', [{ ...pay, body }]));
  expect(told).toHaveLength(15);
  expect(told.slice(11)).toEqual([
    'No v11.',
    'Whether the vault has the 4,988 other values that are asked of it was not looked up.',
    'No key.',
    'No credentials of payout.',
  ]);
  expect(asked).toHaveLength(13);
});
