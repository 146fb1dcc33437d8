import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { contract, type MethodName } from '@shared/contract/contract';
import type { HostKind, MethodDefinition, Reply } from '@shared/contract/define';
import { AppError, type ErrorReply } from '@shared/errors';
import { prepareDataDirectory } from '../../electron/platform/data-directory';
import { createFileLogger } from '../../electron/platform/logger';
import { createNodePorts, systemClock } from '../../electron/platform/node-ports';
import { startNodeWorker } from '../../electron/platform/worker-rpc';
import { createServices, type Services } from '../../electron/services/create-services';
import { createFakeTransport, type FakeHandlers } from '../../renderer/transport/fake';
import { projectRoot, startCli } from './run-cli';
import { openWebClient } from './web-client';

/** One way to reach the contract, with all that came out of it. */
export interface ContractClient {
  /** The host whose restrictions hold; the fake stands in for the desktop app, which offers everything. */
  host: HostKind;
  dataDirectory: string;
  /** Events so far, oldest first. */
  events: { name: string; payload: unknown }[];
  call(method: string, input: unknown): Promise<Reply<unknown>>;
  /** What the host wrote to its terminal. */
  readOutput(): string;
  /** Ends the host and leaves its data directory for a look. */
  stop(): Promise<void>;
  removeData(): void;
}

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'countersign-contract-'));
const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true });

/** Starts the built web host as a process of its own, and speaks to it as the page does. */
export async function openWebHost(): Promise<ContractClient> {
  const dataDirectory = makeDirectory();
  const env = { COUNTERSIGN_PASSPHRASE: '' };
  const command = startCli(['app', '--no-open', '--json', '--port', '0', '--data', dataDirectory], { env });
  const ready = await command.waitForLine((line) => line['event'] === 'ready');
  const web = await openWebClient(ready['url'] as string);
  const events: ContractClient['events'] = [];
  const closeStream = await web.listen((name, payload) => events.push({ name, payload }));
  return {
    host: 'web',
    dataDirectory,
    events,
    call: (method, input) => web.call(method, input),
    readOutput: command.readOutput,
    async stop() {
      closeStream();
      await command.stop();
    },
    removeData: () => remove(dataDirectory),
  };
}

/** Puts the services together in this process, as the command line does; the workers are the built ones. */
export async function openCliHost(): Promise<ContractClient & { services: Services }> {
  const dataDirectory = prepareDataDirectory(makeDirectory());
  const services = await openServices(dataDirectory);
  const events: ContractClient['events'] = [];
  services.events.subscribeAll((name, payload) => events.push({ name, payload }));
  await services.start();
  return {
    host: 'cli',
    services,
    dataDirectory,
    events,
    call: (method, input) => services.router.dispatch(method, input),
    readOutput: () => '',
    stop: () => services.close(),
    removeData: () => remove(dataDirectory),
  };
}

/** Services over a data directory that stands already; nothing is started. */
export async function openServices(dataDirectory: string): Promise<Services> {
  const ports = await createNodePorts({
    host: 'cli',
    dataDirectory,
    version: '0.0.0',
    logger: createFileLogger({ dataDirectory, clock: systemClock, level: 'debug' }),
  });
  return createServices({
    ...ports,
    // Nobody's browser opens in a test.
    openExternal: () => Promise.resolve(),
    startWorker: (name, options) =>
      startNodeWorker(pathToFileURL(join(projectRoot, 'out', 'workers', `${name}.js`)), options),
  });
}

/** What a real host was asked and answered, for the fake to give again. */
export interface Recording {
  input: unknown;
  value: unknown;
  refusal: { input: unknown; error: ErrorReply } | null;
}

/**
 * The renderer's fake, answering what a real host answered.
 *
 * What it is asked is checked as the router checks it, so that a test over the fake cannot drift from the contract.
 */
export function openFake(recorded: ReadonlyMap<string, Recording>): ContractClient {
  const handlers = Object.fromEntries(
    [...recorded].map(([method, recording]) => [
      method,
      (input: unknown) => replay(method, recording, input),
    ]),
  ) as FakeHandlers;
  const fake = createFakeTransport(handlers);
  return {
    host: 'electron',
    dataDirectory: '',
    events: [],
    call: (method, input) => fake.call(method, input),
    readOutput: () => '',
    stop: () => Promise.resolve(),
    removeData: () => undefined,
  };
}

function replay(method: string, { value, refusal }: Recording, input: unknown): unknown {
  const definition: MethodDefinition = contract[method as MethodName];
  if (!definition.input.safeParse(input).success) {
    throw new AppError('app.bad_input', `${method} was called with something it cannot use.`);
  }
  if (refusal !== null && isDeepStrictEqual(input, refusal.input)) {
    throw new AppError(refusal.error.code, refusal.error.message, refusal.error);
  }
  return structuredClone(value);
}
