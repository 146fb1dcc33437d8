import { createInterface } from 'node:readline';
import { contract, type MethodName } from '@shared/contract/contract';
import { AppError, toErrorReply } from '@shared/errors';
import type { Services } from '../../services/create-services';
import { defineCommand, type CommandContext, type ExitCode } from '../command';
import { openServices, withServices } from '../open-services';
import { decodeText } from '../read-input';

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
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below, with what else is no call.
  }
  throw new AppError(
    'app.bad_input',
    'Standard input holds no JSON object. Write one, such as {"limit":10}.',
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
  usage: 'call [METHOD] [--data DIR] [--start]',
  summary: 'Call a method of the app, such as history.list; its input is JSON on standard input.',
  notes: [
    'It is checked and answered as in the app. Nothing is taken from the arguments but the name: secrets go by standard input.',
    'Without METHOD, a call a line: {"id":1,"method":"history.list","input":{}} in, {"id":1,"ok":true,"value":…} or',
    '{"id":1,"ok":false,"error":{"code","message","details","retryable"}} out, and {"event","payload"} for what happens meanwhile.',
  ],
  options: {
    data: { type: 'text', placeholder: 'DIR', help: "Data directory; the app's own where left out" },
    start: { type: 'flag', help: 'Start the local sandbox and the listener first, as the app does' },
  },
  positionals: [{ name: 'METHOD', isRequired: false, help: 'Name of the method; left out: a call a line' }],
  run: (context, values, [method]) =>
    withServices(
      openServices({ data: values.data, mustExist: !values.start && onlyReads(method) }),
      async (services): Promise<ExitCode> => {
        if (values.start) await services.start();
        if (method === undefined) await callByLine(context, services);
        else await callOnce(context, services, method);
        return 0;
      },
    ),
});
