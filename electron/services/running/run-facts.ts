import { isLoopbackName } from '@shared/payments/text-formats';
import type { Environment } from '@shared/contract/environments';
import type { PlannedRequest, RunPlan, RunRequest } from '@shared/run/plan-run';
import { isSecretName } from '@shared/secrets';
import type { RunContext, RunOptions, RunTurn } from './run-context';

const shortestSecret = 6;

/** Names a request of a turn for the resume file, by its place in the plan: the same in the run that goes on with it. */
export function keyOf(
  request: RunRequest,
  { places }: Pick<RunContext, 'places'>,
  { iteration, row }: RunTurn,
): string {
  return `${iteration}/${row?.number ?? 0}/${places.get(request) ?? 0}`;
}

/** Tells whether two requests, as `keyOf` names them, are of one turn: of the same row of the same iteration. */
export function isSameTurn(one: string, other: string): boolean {
  const turnOf = (key: string): string => key.split('/', 2).join('/');
  return turnOf(one) === turnOf(other);
}

/** The row of a request that `keyOf` named. */
export const rowOf = (key: string): string => key.split('/', 2)[1] ?? '';

/** Tells whether the call gives a value of that name, which nothing that comes with the run takes the place of. */
export function isGiven({ given }: Pick<RunTurn, 'given'>, name: string): boolean {
  return Object.hasOwn(given, name);
}

/** Names of values that answers, webhooks and sends of a run bring with them, and that the call does not give. */
export function listComing(
  requests: readonly PlannedRequest[],
  given: RunTurn['given'],
): ReadonlySet<string> {
  const captured = requests.flatMap(({ request }) => request.directives.captures.map(({ name }) => name));
  return new Set([...captured, 'last_reference'].filter((name) => !isGiven({ given }, name)));
}

/** Tells whether an address is one of this machine: it may be asked more often than somebody's service. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackName(new URL(url).hostname);
}

/** Tells whether anything of the plan has to do with webhooks. */
export function needsWebhooks(plan: RunPlan): boolean {
  const asks = plan.requests.some(({ request: { text } }) =>
    /\{\{\s*(?:%\s*)?callback_url\s*\}\}/.test(text),
  );
  return asks || judgesWebhooks(plan);
}

/** Tells whether something is expected of webhooks, or captured from them. */
export function judgesWebhooks({ requests }: RunPlan): boolean {
  return requests.some(
    ({ request: { directives } }) =>
      directives.captures.some(({ source }) => source.kind === 'webhook') ||
      directives.expectations.some(
        ({ expectation: { kind } }) => kind === 'webhook' || kind === 'no_webhook',
      ),
  );
}

/**
 * Lists the texts that nothing told of a run may hold: values that are secret by their name, and those that are known.
 *
 * One with a variable in it is none yet: the vault's own values come with the answers to what they left with.
 */
export function listRunSecrets(
  environment: Pick<Environment, 'variables' | 'privateNames'>,
  given: Readonly<Record<string, string>>,
  known: readonly (string | null | undefined)[],
): string[] {
  const named = Object.entries({ ...environment.variables, ...given })
    .filter(([name]) => isSecretName(name) || (environment.privateNames ?? []).includes(name))
    .map(([, value]) => value);
  return listUsable([...known, ...named]);
}

/** Lists what can be looked for in other texts: one that is too short would be found in each. */
export function listUsable(texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter(
    (text): text is string =>
      typeof text === 'string' && text.length >= shortestSecret && !text.includes('{{'),
  );
}

/** What tokens and secrets of a run belong to. */
export function describeHome({ environment: { label, destination } }: Pick<RunOptions, 'environment'>): {
  label: string;
  baseUrl: string;
} {
  return { label, baseUrl: destination.baseUrl };
}

/** Tells whether a request expects something of a balance. */
export const asksBalance = ({ directives }: RunRequest): boolean =>
  directives.expectations.some(({ expectation }) => expectation.kind === 'balance');
