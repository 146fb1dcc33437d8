import { createInterface } from 'node:readline';
import { z } from 'zod';
import { contract, type MethodName } from '@shared/contract/contract';
import type { MethodDefinition } from '@shared/contract/define';
import { AppError, toErrorReply } from '@shared/errors';
import { findCloseWord } from '@shared/find-close-word';
import { parseRecord } from '@shared/json/parse-or-nothing';
import type { Services } from '../../services/create-services';
import { defineCommand, type CommandContext, type ExitCode } from '../command';
import { openServices, withServices } from '../open-services';
import { decodeText } from '../read-input';
import { usageError } from '../usage-error';

const maxInputBytes = 64 * 1024 * 1024;

/** One method, its input whole on standard input. */
async function callOnce(context: CommandContext, services: Services, method: string): Promise<void> {
  const flag = 'standard input';
  const bytes = process.stdin.isTTY
    ? new Uint8Array()
    : await context.readInput('-', flag, { maxBytes: maxInputBytes });
  const text = decodeText(bytes, flag).trim();
  const reply = await services.router.dispatch(method, text === '' ? {} : parse(text));
  if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error);
  context.printJson(reply.value);
}

/** A call a line until standard input ends; answers come as they are ready, events as they happen. */
async function callByLine(context: CommandContext, services: Services): Promise<void> {
  services.events.subscribeAll((event, payload) => context.printJson({ event, payload }));
  context.printJson({ event: 'ready' });
  const open = new Set<Promise<void>>();
  const lines = createInterface({ input: process.stdin });
  void context.waitForEnd().then(() => lines.close());
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const answered = answer(services, line).then((reply) => context.printJson(reply));
    open.add(answered);
    void answered.finally(() => open.delete(answered));
  }
  await Promise.all(open);
}

async function answer({ router }: Services, line: string): Promise<object> {
  try {
    const { id, method, input } = parse(line) as { id?: unknown; method?: unknown; input?: unknown };
    return { id: id ?? null, ...(await router.dispatch(String(method), input)) };
  } catch (error) {
    return { id: null, ok: false, error: toErrorReply(error) };
  }
}

function parse(text: string): object {
  const value = parseRecord(text);
  if (value !== null) return value;
  throw new AppError(
    'app.bad_input',
    'Standard input holds no JSON object. Write one, such as {"limit":10}.',
  );
}

const methods = Object.entries<MethodDefinition>(contract).filter(
  ([, { hosts }]) => hosts === undefined || hosts.includes('cli'),
);

/** Says each method on a line; with `--json` with what it takes, as JSON Schema. */
function listMethods(context: CommandContext): ExitCode {
  for (const [method, { effect, input }] of methods) {
    if (context.isJson)
      context.printJson({
        method,
        effect,
        input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      });
    else context.print(`${method.padEnd(34)} ${effect}`);
  }
  return 0;
}

/** Nothing is opened, and no folder made, for a method that is none. @throws {AppError} `app.unknown_method` */
function refuseUnknown(method: string): void {
  if (Object.hasOwn(contract, method)) return;
  const close = findCloseWord(
    method,
    methods.map(([name]) => name),
  );
  const meant = close === null ? '' : ` Did you mean ${close}?`;
  throw new AppError(
    'app.unknown_method',
    `There is no method '${method.slice(0, 80)}'.${meant} countersign call --list lists them.`,
  );
}

/** A method that only reads makes no folder, unless the app is started there: there is nothing to read in a new one. */
function onlyReads(method: string | undefined): boolean {
  return (
    method !== undefined &&
    Object.hasOwn(contract, method) &&
    contract[method as MethodName].effect === 'read'
  );
}

export const command = defineCommand({
  usage: 'call [METHOD | --list] [--data DIR] [--start]',
  summary: 'Call a method of the app, such as history.list; its input is JSON on standard input.',
  notes: [
    'It is checked and answered as in the app. Nothing is taken from the arguments but the name: secrets go by standard input.',
    '--list says the methods and whether they read or write; with --json also what each takes, as JSON Schema.',
    'Without METHOD, a call a line: {"id":1,"method":"history.list","input":{}} in, {"id":1,"ok":true,"value":…} or',
    '{"id":1,"ok":false,"error":{"code","message","details","retryable"}} out, and {"event","payload"} for what happens meanwhile.',
  ],
  options: {
    data: { placeholder: 'DIR', help: "Data directory; the app's own where left out" },
    list: { type: 'flag', help: 'Say which methods there are' },
    start: { type: 'flag', help: 'Start the local sandbox and the listener first, as the app does' },
  },
  positionals: [{ name: 'METHOD', isRequired: false, help: 'Name of the method; left out: a call a line' }],
  async run(context, values, [method]) {
    if (values.list) {
      if (method !== undefined) throw usageError('--list takes no METHOD.');
      return listMethods(context);
    }
    if (method !== undefined) refuseUnknown(method);
    return withServices(
      openServices({ data: values.data, mustExist: !values.start && onlyReads(method) }),
      async (services): Promise<ExitCode> => {
        if (values.start) await services.start();
        if (method === undefined) await callByLine(context, services);
        else await callOnce(context, services, method);
        return 0;
      },
    );
  },
});
