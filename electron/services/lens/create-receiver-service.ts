import type { HandlersOf, ParsedInput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { ReceiverStatus } from '@shared/contract/receiver';
import { toErrorReply } from '@shared/errors';
import { holdsUserInfo, parseWebUrl } from '@shared/payments/text-formats';
import { receiverScenarioNames, type ScenarioResult } from '@shared/receiver-check/receiver-scenarios';
import type { PlannedCheck } from '../../lens/receiver-check/play-check';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';

const ReceiverError = errorsOf<'receiver.check'>();

export interface ReceiverServiceDeps {
  ports: Pick<Ports, 'settings'>;
  events: EventBus;
  /** Plays to the end; what happens meanwhile comes by `note`. */
  check(planned: PlannedCheck): Promise<{ isCanceled: boolean }>;
  cancel(): Promise<void>;
}

export interface ReceiverService {
  handlers: HandlersOf<'receiver'>;
  notePlaying(scenario: ScenarioResult['scenario']): void;
  noteVerdict(result: ScenarioResult): void;
}

const SETTINGS = { url: 'receiver.url', stateUrl: 'receiver.stateUrl' };

/**
 * Plays the service's real behaviour against the user's webhook receiver, and tells of each scenario as it is judged.
 *
 * One check at a time. Addresses are remembered, the secret is not.
 */
export function createReceiverService({
  ports,
  events,
  check,
  cancel,
}: ReceiverServiceDeps): ReceiverService {
  const { settings } = ports;
  let status: ReceiverStatus = {
    state: 'idle',
    url: readText(settings.get(SETTINGS.url)),
    stateUrl: readText(settings.get(SETTINGS.stateUrl)),
    planned: [],
    current: null,
    results: [],
    message: null,
  };
  const set = (change: Partial<ReceiverStatus>): ReceiverStatus => {
    status = { ...status, ...change };
    events.emit('receiver.changed', status);
    return status;
  };
  const play = async (planned: PlannedCheck): Promise<void> => {
    try {
      const { isCanceled } = await check(planned);
      set({ state: isCanceled ? 'canceled' : 'done', current: null });
    } catch (error) {
      set({ state: 'failed', current: null, message: toErrorReply(error).message });
    }
  };

  return {
    notePlaying: (current) => void set({ current }),
    noteVerdict(result) {
      const others = status.results.filter(({ scenario }) => scenario !== result.scenario);
      set({ results: inOrder([...others, result]) });
    },
    handlers: {
      'receiver.status': () => status,
      async 'receiver.check'(input) {
        const planned = await planCheck(input);
        if (status.state === 'running') {
          throw new ReceiverError(
            'receiver.running',
            'A check is under way. Wait for its end, or cancel it.',
          );
        }
        const { url, stateUrl } = planned;
        settings.set(SETTINGS.url, url);
        settings.set(SETTINGS.stateUrl, stateUrl ?? '');
        const kept = input.isRerun && url === status.url ? status.results : [];
        const results = kept.filter(({ scenario }) => !planned.scenarios.includes(scenario));
        const names = [...planned.scenarios, ...results.map(({ scenario }) => scenario)];
        const begun = set({
          state: 'running',
          url,
          stateUrl: stateUrl ?? '',
          planned: receiverScenarioNames.filter((name) => names.includes(name)),
          current: null,
          results,
          message: null,
        });
        void play(planned);
        return begun;
      },
      async 'receiver.cancel'() {
        if (status.state === 'running') await cancel();
        return status;
      },
    },
  };
}

/** Looks at what was asked for before anything is sent. */
async function planCheck({
  url: address,
  stateUrl: stateAddress,
  scenarios,
  secret,
  timeoutMs,
}: ParsedInput<'receiver.check'>): Promise<PlannedCheck> {
  const url = requireUrl('The address of the receiver', address);
  const hasState = stateAddress !== null && stateAddress.trim() !== '';
  const stateUrl = hasState ? requireUrl('The state address', stateAddress) : null;
  if (secret !== null) {
    const { checkSigningSecret } = await import('../../platform/crypto/standard-webhooks');
    checkSigningSecret(secret);
  }
  return {
    url,
    stateUrl,
    secret,
    timeoutMs,
    scenarios: receiverScenarioNames.filter((name) => scenarios.includes(name)),
  };
}

function inOrder(results: readonly ScenarioResult[]): ScenarioResult[] {
  return receiverScenarioNames.flatMap((name) => results.find(({ scenario }) => scenario === name) ?? []);
}

function requireUrl(what: string, text: string): string {
  const url = parseWebUrl(text.trim());
  if (url !== null && !holdsUserInfo(url)) return url.href;
  throw new ReceiverError(
    'receiver.bad_url',
    `${what} is an absolute http:// or https:// address without user name and password, such as http://127.0.0.1:8080/webhooks.`,
  );
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
