import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type MethodName } from '@shared/contract/contract';
import type { MethodDefinition, Reply } from '@shared/contract/define';
import { contractCases } from '../support/contract-cases';
import { openCliHost, openWebHost, type ContractClient } from '../support/contract-clients';
import { createStage, writeInput, type ContractCase, type PlayedStage } from '../support/contract-stage';
import { stopTeamServer } from '../support/team-cases';
import { stopReleaseServer } from '../support/update-cases';
import { makeTemporaryFolder } from '../support/temporary';

const methods = Object.keys(contractCases) as MethodName[];
const definitionOf = (method: MethodName): MethodDefinition => contract[method];

/** Whether a method may answer with this code: declared, in a declared area, or of the host itself. */
function isDeclared(method: MethodName, code: string): boolean {
  return ['app.*', 'platform.*', 'worker.*', ...definitionOf(method).errors].some((one) =>
    one.endsWith('.*') ? code.startsWith(one.slice(0, -1)) : code === one,
  );
}

/** @param code - a trailing `*` stands for any of the area */
function expectErrorReply(method: MethodName, reply: Reply<unknown>, code: string): void {
  expect(reply, JSON.stringify(reply)).toMatchObject({ ok: false });
  if (reply.ok) return;
  expect(Object.keys(reply).sort()).toEqual(['error', 'ok']);
  expect(Object.keys(reply.error).sort()).toEqual(['code', 'details', 'message', 'retryable']);
  if (code.endsWith('*')) expect(reply.error.code).toContain(code.slice(0, -1));
  else expect(reply.error.code).toBe(code);
  expect(isDeclared(method, reply.error.code), `${reply.error.code} is not declared`).toBe(true);
  expect(reply.error.message).toMatch(/\S.*[.!?]$/s);
  expect(reply.error.message).not.toMatch(/\n\s+at |node:internal/);
  expect(typeof reply.error.retryable).toBe('boolean');
}

const otherDirectory = makeTemporaryFolder('collection');

afterAll(stopTeamServer);
afterAll(stopReleaseServer);

it('has a case for every method of the contract, and none besides', () => {
  expect([...methods].sort()).toEqual(Object.keys(contract).sort());
});

describe.each([
  ['the web host', openWebHost],
  ['the command line host', openCliHost],
] as const)('%s', (_name, open) => {
  let client: ContractClient;
  let stage: PlayedStage;

  beforeAll(async () => {
    client = await open();
    stage = createStage(client, otherDirectory);
  });
  afterAll(async () => {
    await client.stop();
    client.removeData();
  });

  it.each(['', 'constructor', '__proto__', 'app.Status', 'keys.readPrivate'])(
    'knows no %j',
    async (method) => {
      const reply = await client.call(method, {});
      expect(reply).toMatchObject({ ok: false, error: { code: 'app.unknown_method', retryable: false } });
    },
  );

  describe.each(methods)('%s', (method) => {
    const definition = definitionOf(method);
    const { input, badInput, refusal, skip = null } = contractCases[method] as ContractCase<MethodName>;
    const isOffered = (): boolean => definition.hosts?.includes(client.host) ?? true;

    it.skipIf(skip !== null)('answers a call that is right with what the contract says', async () => {
      const sent = await writeInput(input, stage);
      const reply = await client.call(method, sent);
      if (!isOffered()) return expectErrorReply(method, reply, 'app.not_on_this_host');
      expect(reply, JSON.stringify(reply)).toMatchObject({ ok: true });
      if (!reply.ok) return;
      expect(Object.keys(reply).sort()).toEqual(['ok', 'value']);
      expect(definition.output.parse(reply.value)).toEqual(reply.value);
      stage.keep(method, reply.value);
    });

    it('refuses what it cannot use', async () => {
      const reply = await client.call(method, badInput);
      expectErrorReply(method, reply, isOffered() ? 'app.bad_input' : 'app.not_on_this_host');
    });

    if (refusal === undefined) return;
    it('says with a declared code what it will not do', async () => {
      const sent = await writeInput(refusal.input, stage);
      const reply = await client.call(method, sent);
      expectErrorReply(method, reply, isOffered() ? refusal.code : 'app.not_on_this_host');
    });
  });
});
