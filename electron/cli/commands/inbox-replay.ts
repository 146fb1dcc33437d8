import { setTimeout as wait } from 'node:timers/promises';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { readDuration } from '@shared/webhooks/filter/read-moment';
import { keepOldHeapSmall } from '../../platform/keep-heap-small';
import type { Services } from '../../services/create-services';
import { readEdit, readReplayUrl } from '../../services/inbox/replay-webhook';
import { defineCommand, type ExitCode } from '../command';
import {
  dataOption,
  filterNotes,
  filterOption,
  listWebhooks,
  passOverGone,
  storeNotes,
  storeOption,
  withInbox,
} from '../stored-webhooks';
import { serviceOptions } from '../session';
import { usageError } from '../usage-error';
import { readWebhookKeys, secretOption } from '../webhook-keys';

interface Choice {
  readonly since: string | undefined;
  readonly filter: string | undefined;
}

/** Which webhooks, in the order of their arrival. */
async function chooseIds(
  services: Services,
  ids: readonly string[],
  { since, filter }: Choice,
): Promise<readonly string[]> {
  // Ids follow the order of arrival.
  if (ids.length > 0) return ids.toSorted();
  const parts = [since === undefined ? null : `age <= ${since}`, filter === undefined ? null : `(${filter})`];
  const query = {
    limit: Number.MAX_SAFE_INTEGER,
    search: '',
    filter: parts.filter((part) => part !== null).join(' and '),
  };
  const found: string[] = [];
  for await (const { id } of listWebhooks(services, query)) found.push(id);
  return found.reverse();
}

function checkChoice(ids: readonly string[], { since, filter }: Choice): void {
  const isChosen = since !== undefined || filter !== undefined;
  if (ids.length > 0 && isChosen) throw usageError('IDs exclude --since and --filter.');
  if (ids.length === 0 && !isChosen) throw usageError('Name the webhooks by ID, --since or --filter.');
  if (since !== undefined && readDuration(since) === null) {
    throw usageError(`--since takes a span of time such as 10m, not '${since.slice(0, 40)}'.`);
  }
  if (filter !== undefined) parseFilter(filter);
}

/** Waits for the turn of each call: the n-th leaves no earlier than n pauses after the first. */
function createPace(perSecond: number | undefined): () => Promise<void> {
  const startedAt = performance.now();
  let count = 0;
  return async () => {
    if (perSecond === undefined) return;
    const leftMs = startedAt + (count++ * 1000) / perSecond - performance.now();
    if (leftMs > 0) await wait(leftMs);
  };
}

export const command = defineCommand({
  usage:
    'inbox replay ID…|--since 10m|--filter EXPR --to URL [--times N] [--rate N] [--edit a.b=JSON]… [--keep-headers|--resign] [--data DIR|--store URL]',
  summary: 'Send webhooks again, in the order of their arrival; exit code 1 where one was refused.',
  notes: [
    'Bytes, headers and webhook-id as received; --edit changes the bytes of one value alone. Redirects are not followed.',
    'Each answer is kept beside its webhook. Where the target cannot be reached it ends with exit code 3.',
    ...filterNotes,
    ...storeNotes,
  ],
  options: {
    to: {
      placeholder: 'URL',
      help: 'Where; without a path each keeps its own',
      isRequired: true,
    },
    since: { placeholder: 'SPAN', help: 'Those that came in this time, as 10m' },
    filter: { placeholder: 'EXPR', help: filterOption.help },
    times: { type: 'integer', help: 'Each so often', min: 1, max: 10_000, fallback: 1 },
    rate: { type: 'integer', help: 'At most so many a second', min: 1, max: 10_000 },
    edit: { placeholder: 'a.b=JSON', help: 'Another value in the place of one', isList: true },
    'keep-headers': { type: 'flag', help: 'Headers and signature as received; so it is without --resign' },
    resign: { type: 'flag', help: 'Sign anew, with the time of now' },
    secret: secretOption,
    'timeout-ms': serviceOptions['timeout-ms'],
    data: dataOption,
    store: storeOption,
  },
  positionals: [{ name: 'ID…', isRequired: false, isList: true, help: 'As `inbox list` tells them' }],
  async run(context, values, ids) {
    keepOldHeapSmall();
    checkChoice(ids, values);
    const webhookKeys = readWebhookKeys(context, values.secret);
    if (values.resign && values['keep-headers'])
      throw usageError('--keep-headers and --resign exclude each other.');
    if (values.resign && webhookKeys.length === 0) {
      throw usageError('--resign needs --secret KEY, or COUNTERSIGN_WEBHOOK_SECRET.');
    }
    if (values.secret.length > 0 && !values.resign)
      throw usageError('--secret is what --resign signs with: add that.');
    // Wrong usage is told where no webhook is chosen, too.
    readReplayUrl(values.to, '/');
    for (const edit of values.edit) readEdit(edit);
    const replay = async (services: Services): Promise<ExitCode> => {
      const { router } = services;
      const chosen = await chooseIds(services, ids, values);
      const input = {
        to: values.to,
        edits: [...values.edit],
        isResigned: values.resign,
        timeoutMs: values['timeout-ms'],
      };
      // Before the first is sent: an id that is none, or a change that does not fit one, leaves nothing half done.
      for (const id of ids.length > 0 || values.edit.length > 0 ? chosen : chosen.slice(0, 1))
        await router
          .call('inbox.replay', { ...input, id, isTrial: true })
          .catch(ids.length > 0 ? undefined : passOverGone);
      const pace = createPace(values.rate);
      let refused = 0;
      for (const id of chosen) {
        for (let time = 0; time < values.times; time++) {
          await pace();
          const found = await router.call('inbox.replay', { ...input, id }).catch(passOverGone);
          if (found === null) {
            refused++;
            context.say(`${id} is not sent${time > 0 ? ' again' : ''}: it is not there any more.`);
            break;
          }
          const { replay } = found;
          const httpStatus = replay?.httpStatus ?? 0;
          if (httpStatus < 200 || httpStatus > 299) refused++;
          if (context.isJson) context.printJson({ event: 'replayed', id, http_status: httpStatus });
          else context.print(`${id}  ${httpStatus}`);
        }
      }
      if (!context.isJson && chosen.length === 0) context.say('No webhooks.');
      return refused > 0 ? 1 : 0;
    };
    return withInbox(values, replay, { webhookKeys });
  },
});
