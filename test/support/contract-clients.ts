import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostKind, Reply } from '@shared/contract/define';
import { startCli } from './run-cli';
import { openWebClient, type WebClient } from './web-client';

/** One way to reach the contract, with all that came out of it. */
export interface ContractClient {
  /** The host whose restrictions hold. */
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
export async function openWebHost(): Promise<ContractClient & Pick<WebClient, 'post'> & { pid: number }> {
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
    post: web.post,
    pid: command.child.pid!,
    readOutput: command.readOutput,
    async stop() {
      closeStream();
      await command.stop();
    },
    removeData: () => remove(dataDirectory),
  };
}

/** Starts the built command line, `countersign call` with a call a line. */
export async function openCliHost(): Promise<ContractClient> {
  const dataDirectory = makeDirectory();
  const env = { COUNTERSIGN_PASSPHRASE: '' };
  const args = ['call', '--start', '--data', dataDirectory];
  const command = startCli(args, { env, hasInput: true });
  const events: ContractClient['events'] = [];
  const replies = createReplies();
  command.onLine((line) => {
    if ('payload' in line) events.push({ name: String(line['event']), payload: line['payload'] });
    else replies.take(line);
  });
  await command.waitForLine((line) => line['event'] === 'ready');
  // A command that has ended leaves a call without its answer, and its test says which.
  command.child.stdin!.on('error', () => undefined);
  return {
    host: 'cli',
    dataDirectory,
    events,
    call: (method, input) => {
      const { id, reply } = replies.expect();
      command.child.stdin!.write(`${JSON.stringify({ id, method, input })}\n`);
      return reply;
    },
    readOutput: command.readErrors,
    stop: () => command.stop(),
    removeData: () => remove(dataDirectory),
  };
}

/** Ties the replies that come to the calls that were made. */
function createReplies() {
  const waiting = new Map<unknown, (reply: Reply<unknown>) => void>();
  let lastId = 0;
  return {
    expect(): { id: number; reply: Promise<Reply<unknown>> } {
      const id = ++lastId;
      return { id, reply: new Promise((resolve) => waiting.set(id, resolve)) };
    },
    take({ id, ...reply }: Record<string, unknown>): void {
      waiting.get(id)?.(reply as unknown as Reply<unknown>);
      waiting.delete(id);
    },
  };
}
