import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import type { ContractClient } from './contract-clients';
import { plantSentinels, type Sentinels } from './secrets';
import { remittance } from './bodies';

/** Name of the embedded sandbox's environment. */
export const localEnvironment = 'local';

/** Where the cases of one host stand: what was answered so far, and the secrets to put in. */
export interface Stage {
  secrets: Sentinels;
  /** A folder of this run, for a collection to open. */
  otherDirectory: string;
  /** Calls a method and gives its value; an error reply is thrown. */
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>>;
  /** The last value of a method whose case ran already. */
  get<M extends MethodName>(method: M): MethodOutput<M>;
}

type Written<M extends MethodName> =
  | MethodInput<M>
  | ((stage: Stage) => MethodInput<M> | Promise<MethodInput<M>>);

export interface ContractCase<M extends MethodName> {
  /** Answered `{ok: true}`. */
  input: Written<M>;
  /** Answered `app.bad_input`. */
  badInput: unknown;
  /** Why it cannot be played here, nor can those that need it; null, or left out: it can. */
  skip?: string | null;
  /** Understood, and answered with this code, which must be one that the method declares. */
  refusal?: { input: Written<M>; code: string };
}

/** A stage that cases are played on: `keep` notes what a case was answered. */
export interface PlayedStage extends Stage {
  keep(method: MethodName, value: unknown): void;
}

/** Sets the stage over one host, with secrets of its own. */
export function createStage(client: ContractClient, otherDirectory: string): PlayedStage {
  const answers = new Map<string, unknown>();
  return {
    secrets: plantSentinels(),
    otherDirectory,
    keep: (method, value) => void answers.set(method, value),
    async call(method, input) {
      const reply = await client.call(method, input);
      if (!reply.ok) throw new Error(`${method} was refused: ${JSON.stringify(reply.error)}`);
      return reply.value as MethodOutput<typeof method>;
    },
    get(method) {
      if (!answers.has(method)) throw new Error(`${method} has not been answered: look at its own case.`);
      return answers.get(method) as MethodOutput<typeof method>;
    },
  };
}

/** Gives what a case sends; where it is a function, it looks at the stage. */
export async function writeInput(written: unknown, stage: Stage): Promise<unknown> {
  return typeof written === 'function' ? (written as (stage: Stage) => unknown)(stage) : written;
}

/** Waits for a condition that another thread brings about. */
export async function waitFor<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > deadline) throw new Error(`Waited in vain. Last seen: ${JSON.stringify(value)}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** Waits for the end of the run that a case started, then gives what another is started with: one under way goes before any fault. */
export async function afterRun(
  stage: Stage,
  input: MethodInput<'running.start'>,
): Promise<MethodInput<'running.start'>> {
  await waitFor(
    () => stage.call('running.get', {}),
    ({ run }) => run?.state === 'over',
  );
  return input;
}

/** Body of a remittance; the last four digits of the account choose its outcome (design 5). */
export function remittanceBody(options: {
  reference: string;
  account?: string;
  callbackUrl: string;
}): string {
  return JSON.stringify(
    remittance({
      'transaction.reference': options.reference,
      ...(options.account === undefined ? {} : { 'recipient.account': options.account }),
      callback_url: options.callbackUrl,
    }),
  );
}

/** Everything that a signed remittance to the local sandbox needs. */
export async function remittanceInput(
  stage: Stage,
  options: { reference: string; account?: string; signature?: string; keyId?: string },
): Promise<MethodInput<'sending.send'>> {
  const { environment } = await stage.call('app.status', {});
  return {
    environment: localEnvironment,
    operation: 'remittance',
    title: 'Remittance',
    method: 'POST',
    url: `${environment.baseUrl}/payments/v1/remittance`,
    headers: [
      ['Authorization', 'Bearer {{token.remittance}}'],
      ['X-Custom-Signature', options.signature ?? '{{signature}}'],
      ['Content-Type', 'application/json'],
    ],
    body: remittanceBody({
      ...options,
      callbackUrl: environment.variables['callback_url'] || 'http://127.0.0.1:9/',
    }),
    ...(options.keyId === undefined ? {} : { keyId: options.keyId }),
  };
}
