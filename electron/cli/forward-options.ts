import type { Forwarding, ForwardRoute } from '../listener/forwarding/create-forwarding';
import type { ForwarderState, ToldAttempt } from '../listener/forwarding/forwarder';
import { formatSortableId } from '../platform/sortable-id';
import type { CommandContext } from './command';
import type { OptionTable, OptionValues } from './option-table';
import { toPlainLine } from '@shared/plain-text';
import { usageError } from './usage-error';

export const forwardOptions = {
  'forward-to': {
    placeholder: 'URL',
    help: 'Forward each webhook to this address, byte for byte; without a path each keeps its own',
  },
  filter: { placeholder: 'EXPR', help: 'Forward only those that pass: status == FAILED and …' },
  'relay-answer': { type: 'flag', help: 'Answer the sender with what the backend answers' },
  exec: {
    placeholder: 'CMD',
    help: 'Run a command for each: body on stdin, facts in COUNTERSIGN_…',
  },
  backlog: { type: 'flag', help: 'Forward what came while that was off, too, as far as it passes' },
} as const satisfies OptionTable;

export const forwardNotes = [
  'With --forward-to or --exec each attempt is a line {"event":"forward","id","attempt","outcome","http_status","reason",' +
    '"next_attempt_at"}. What is not delivered waits on disk, and goes on with the next start.',
];

/**
 * Reads what is to be forwarded, and to where; null: nothing.
 *
 * @throws {AppError} `cli.usage`, `listener.bad_forward`, `inbox.bad_filter`
 */
export async function readRoute(values: OptionValues<typeof forwardOptions>): Promise<ForwardRoute | null> {
  const { 'forward-to': url = null, exec = null, filter, 'relay-answer': relaysAnswer } = values;
  if (values.backlog && url === null && exec === null)
    throw usageError('--backlog needs --forward-to URL or --exec CMD.');
  if (relaysAnswer && url === null) throw usageError('--relay-answer needs --forward-to URL.');
  if (url === null && exec === null) {
    if (filter === undefined) return null;
    throw usageError('--filter says what is forwarded: it needs --forward-to URL or --exec CMD.');
  }
  const route = { url, exec, filter: filter ?? '', relaysAnswer };
  const { checkRoute } = await import('../listener/forwarding/create-forwarding');
  checkRoute(route);
  return route;
}

export function printAttempt(context: CommandContext, told: ToldAttempt): void {
  const { attempt, outcome, httpStatus, reason, nextAt, sink, delivery } = told;
  const id = formatSortableId(told.id);
  const next = nextAt === null ? null : new Date(nextAt).toISOString();
  if (context.isJson) {
    context.printJson({
      event: 'forward',
      id,
      attempt,
      outcome,
      http_status: httpStatus,
      reason,
      next_attempt_at: next,
      to: sink,
      ...(delivery.output === undefined ? {} : { output: delivery.output }),
    });
    return;
  }
  const what = outcome === 'delivered' ? 'delivered' : `attempt ${attempt} failed`;
  const why = reason === null ? '' : `  ${reason} Next attempt ${next}.`;
  context.print(toPlainLine(`${new Date(told.at).toISOString()}  ${what}${why}  ${id}`));
}

/**
 * Says once when nothing goes through, and once when it does again.
 *
 * Webhooks that are refused while others go through are said by themselves, and again when they are twice as many.
 */
export function tellTrouble(context: CommandContext): (states: ReadonlyMap<string, ForwarderState>) => void {
  const troubled = new Set<string>();
  const toldRefused = new Map<string, number>();
  return (states) => {
    for (const [sink, { trouble, backlogCount, refusals }] of states) {
      if (trouble !== null && !troubled.has(sink)) {
        troubled.add(sink);
        context.say(`${trouble} Webhooks are kept and wait (${backlogCount}); they are tried again.`);
      } else if (trouble === null && troubled.delete(sink)) {
        context.say(`Webhooks are forwarded again; ${backlogCount} wait.`);
      }
      const { count, reason } = refusals;
      const told = toldRefused.get(sink) ?? 0;
      if (count === 0) toldRefused.delete(sink);
      else if (trouble === null && count >= Math.max(1, 2 * told)) {
        toldRefused.set(sink, count);
        const what =
          count === 1 ? '1 webhook was not taken and is' : `${count} webhooks were not taken and are`;
        context.say(`${what} tried again; other references go on. ${reason ?? ''}`.trimEnd());
      }
    }
  };
}

const missedWords = {
  url: { off: 'nothing was forwarded to an address', advice: '--backlog forwards what was missed, too' },
  exec: { off: 'no command was run', advice: '--backlog runs it for what was missed, too' },
} as const;

/** Queues what came while a way was off, where that was asked for; else says how much there is: each way has its own queue. */
export async function takeBacklog(
  context: Pick<CommandContext, 'say'>,
  forwarding: Pick<Forwarding, 'takeMissed' | 'countMissed'>,
  isWanted: boolean,
): Promise<void> {
  const missed = [...forwarding.countMissed()].filter(([, count]) => count > 0);
  if (missed.length === 0) return;
  const queued = isWanted ? await forwarding.takeMissed() : null;
  for (const [sink, count] of missed) {
    const { off, advice } = missedWords[sink];
    const came = `${count === 1 ? '1 webhook' : `${count} webhooks`} came while ${off}`;
    context.say(queued === null ? `${came}: ${advice}.` : `${came}; queued now: ${queued.get(sink) ?? 0}.`);
  }
}
