import { findRefusal, isSignatureVariable } from '@shared/http-file/prepare-request';
import { listSecretValues } from '@shared/http-file/secret-values';
import type { Exchange } from '@shared/contract/sending';
import { useAppStatus } from '../../../session/app-status';
import { askStatus } from '../../../session/ask-status';
import { createLatest } from '../../../session/create-latest';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import { readKeyInput } from '../signing/key-actions';
import { identifyRequest, readInsight, renewTimes, titleRequest } from '../requests-selectors';
import { readOutgoingBody } from './outgoing-body';
import { askAboutProduction, findWord } from './ask-about-production';
import { addTrustedHost, askAboutHost, listTrustedHosts } from './trusted-hosts';
import { askAboutReference, isPaymentUnknown, isRepetition } from './ask-about-reference';
import { findSent, keepSent, type SentInput } from './sent-requests';
import { findTab, updateTab, useRequestsStore, type OpenTab, type SendWord } from '../requests-store';

/**
 * Sends a tab's request: exactly what the preview shows.
 *
 * Variables without a value stop it once; `isSure` sends them as they stand. On production every payment is asked
 * about, and the first of other requests to a host: the back end says where. Afterwards `{{$…}}` values are
 * drawn afresh, but for those of a request that is best sent again as it is.
 */
export async function sendRequest(
  id: string,
  isSure = false,
  how: SendWord = { isUnsigned: false, allowance: null },
): Promise<void> {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment;
  if (!tab || tab.state !== 'ready' || !environment) return;
  if (tab.run) {
    updateTab(id, { run: { ...tab.run, isAskedAgain: true } });
    return;
  }
  // What the user was asked about, and said yes to, leaves as it was then.
  if (!isSure && !isRepetition(tab, readInsight(tab, environment).prepared)) renewTimes(id);
  const insight = readInsight(tab, environment);
  const { prepared } = insight;
  if (!prepared) return;
  const refusal = findRefusal(prepared);
  if (refusal !== null) {
    showFailure(id, refusal);
    return;
  }
  if (prepared.unresolved.length > 0 && !isSure) {
    updateTab(id, { isSendDoubted: true });
    return;
  }
  if (askAboutReference(tab, prepared, environment.id, how)) return;
  const { operation, method, url, headers, variablesUsed } = prepared;
  await transmit(tab, how, async () => ({
    environment: environment.id,
    identity: identifyRequest(tab, insight),
    title: titleRequest(tab, insight),
    operation,
    method,
    url,
    headers: headers.filter(([, value]) => !how.isUnsigned || !isSignatureVariable(value)),
    ...(await readOutgoingBody(tab, prepared)),
    secretValues: listSecretValues(variablesUsed),
    allowHosts: listTrustedHosts(environment.id),
    isForScreen: true,
    ...readKeyInput(tab.keyChoice, environment),
  }));
}

/** Sends what was put together for a tab, and shows its answer there; asks where it goes to production without a word for that. */
export async function transmit(
  tab: OpenTab,
  how: SendWord,
  write: () => Promise<SentInput>,
  seen: readonly string[] = [],
): Promise<void> {
  const { id } = tab;
  const sendId = crypto.randomUUID();
  updateTab(id, { run: { sendId, requestIndex: tab.requestIndex }, sendError: null, isSendDoubted: false });
  let input: SentInput | null = null;
  try {
    input = await write();
    const exchange = await call('sending.send', { ...input, ...findWord(input, how.allowance), sendId });
    keepSent(id, { exchangeId: exchange.id, input, seen });
    if (!mustKeepReference(exchange)) renewDynamicValues(id);
    if (await leaveToAnother(id)) return;
    updateTab(id, { run: null });
    newestSeen.set(id, exchange.id);
    updateTab(id, { exchange, journey: null });
    if (exchange.reference !== null) await loadJourney(id);
  } catch (error) {
    if (await leaveToAnother(id)) return;
    // Nothing has left, and what the tab shows stays until something has.
    if (input !== null && askAboutProduction(id, input, how, error)) return updateTab(id, { run: null });
    askAboutHost(id, input?.environment ?? '', error);
    showFailure(id, error);
  }
}

/**
 * Ends a call whose request is not on show any more: neither its answer nor its error is that of the request which is.
 *
 * History has both, and they stand there again once their request is shown.
 * @returns false: the request is still on show
 */
async function leaveToAnother(id: string): Promise<boolean> {
  const tab = findTab(id);
  if (tab?.run && tab.run.requestIndex === tab.requestIndex) return false;
  updateTab(id, { run: null });
  await loadLastExchange(id);
  return true;
}

/**
 * Tells whether the next send is to go under the same reference unless the user says otherwise: where the service asked to
 * wait, and where nobody knows whether a payment was taken. There a new reference might pay twice.
 */
function mustKeepReference(exchange: Exchange): boolean {
  return exchange.reading?.outcome === 'rate_limited' || isPaymentUnknown(exchange);
}

/**
 * Sends once more the very request whose answer a tab shows: the same bytes under the same reference, with a token and
 * signature of now. On production it is asked about as the first was.
 *
 * @returns false: what was sent is not known any more (the window was opened since), or another environment is chosen
 */
export async function sendAgain(id: string, allowance: SendWord['allowance'] = null): Promise<boolean> {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment;
  const sent = findSent(tab);
  if (!tab || tab.run || sent === null || environment?.id !== sent.input.environment) return false;
  const how = { isUnsigned: false, allowance, isAgain: true };
  await transmit(tab, how, () => Promise.resolve(sent.input), sent.seen);
  return true;
}

/** Leaves no earlier answer under the error: it would read as the answer to this one. History has it. */
export function showFailure(id: string, error: unknown): void {
  updateTab(id, { run: null, exchange: null, journey: null, sendError: toClientError(error) });
}

/** Sends what cannot be signed (a body that is no JSON, say) without a signature: to see what the service says. */
export async function sendUnsigned(id: string): Promise<void> {
  await sendRequest(id, true, { isUnsigned: true, allowance: null });
}

/** Lets a host have token and signature of an environment, and sends. */
export async function trustHost(id: string, environment: string, host: string): Promise<void> {
  addTrustedHost(environment, host);
  await sendRequest(id, true);
}

/** Stops a call that is under way; its answer is then `sending.canceled`, or `sending.not_sent`. */
export async function cancelSending(id: string): Promise<void> {
  const run = findTab(id)?.run;
  if (!run) return;
  try {
    await call('sending.cancel', { sendId: run.sendId });
  } catch (error) {
    updateTab(id, { sendError: toClientError(error) });
  }
}

/** Draws new `{{$…}}` values for the next send. */
export function renewDynamicValues(id: string): void {
  const tab = findTab(id);
  if (tab) updateTab(id, { dynamicRound: tab.dynamicRound + 1 });
}

const beginJourney = createLatest();

/** Reads the journey of the reference that was sent; one that the back end does not know yet is none. */
export async function loadJourney(id: string): Promise<void> {
  const exchange = findTab(id)?.exchange;
  if (!exchange || exchange.reference === null) return;
  const isLast = beginJourney(id);
  const isWanted = (): boolean => isLast() && findTab(id)?.exchange?.id === exchange.id;
  try {
    const journey = await call('journey.get', { reference: exchange.reference });
    if (isWanted()) updateTab(id, { journey });
  } catch (error) {
    if (isWanted() && toClientError(error).code !== 'journey.unknown') updateTab(id, { journey: null });
  }
}

/** Asks what became of the payment that the tab sent; its journey, below the answer, tells. */
export async function askTabStatus(id: string): Promise<void> {
  const exchange = findTab(id)?.exchange;
  if (!exchange || exchange.reference === null) return;
  try {
    await askStatus({ ...exchange, reference: exchange.reference, sentTo: exchange.request.url });
  } catch (error) {
    if (findTab(id)?.exchange?.id === exchange.id) updateTab(id, { sendError: toClientError(error) });
  }
}

/** Reads the journeys that changed, of open tabs. */
export async function followJourneys(references: readonly string[]): Promise<void> {
  const { tabs } = useRequestsStore.getState();
  const touched = tabs.filter(
    ({ exchange }) => exchange?.reference && references.includes(exchange.reference),
  );
  await Promise.all(touched.map((tab) => loadJourney(tab.id)));
}

/** Shows another request of the tab's file, with its own last answer. */
export async function showRequest(id: string, requestIndex: number): Promise<void> {
  updateTab(id, { requestIndex, exchange: null, journey: null, sendError: null, isSendDoubted: false });
  await loadLastExchange(id);
}

const beginAttempt = createLatest();

/** Shows an earlier attempt, of several the one chosen last, unless another answer stands there before it is read. */
export async function showAttempt(id: string, exchangeId: string): Promise<void> {
  const shown = findTab(id)?.exchange?.id;
  const isLast = beginAttempt(id);
  const isWanted = (): boolean => isLast() && findTab(id)?.exchange?.id === shown && !findTab(id)?.run;
  try {
    const exchange = await call('history.get', { id: exchangeId, isForScreen: true });
    if (!isWanted()) return;
    updateTab(id, { exchange });
    await loadJourney(id);
  } catch (error) {
    if (isWanted()) updateTab(id, { sendError: toClientError(error) });
  }
}

/** The latest exchange that a tab has shown. */
const newestSeen = new Map<string, string>();

/**
 * Shows the last answer of a request: one that was sent before its tab was opened, and one that a run or a command got
 * since. What the tab itself is about, a call or a fault of its own, stays.
 */
export async function loadLastExchange(id: string): Promise<void> {
  const tab = findTab(id);
  if (!tab || tab.state !== 'ready' || tab.run || tab.sendError) return;
  const environment = useAppStatus.getState().status?.environment ?? null;
  const shown = tab.exchange;
  try {
    const { exchanges } = await call('history.list', {
      identity: identifyRequest(tab, readInsight(tab, environment)),
      limit: 1,
    });
    const last = exchanges[0];
    if (!last || (shown !== null && isToStay(shown, last.id, newestSeen.get(id)))) return;
    const exchange = await call('history.get', { id: last.id, isForScreen: true });
    const now = findTab(id);
    const isAsBefore = now && now.exchange === shown && now.requestIndex === tab.requestIndex;
    if (!isAsBefore || now.run || now.sendError || (shown !== null && !isEnded(exchange))) return;
    newestSeen.set(id, exchange.id);
    updateTab(id, { exchange });
    await loadJourney(id);
  } catch {
    // History is a convenience here: without it the pane says that nothing was sent yet.
  }
}

/** An earlier attempt that the user chose stays on show until there is a later one; one that was waited for has its answer read. */
function isToStay(shown: Exchange, lastId: string, newestId: string | undefined): boolean {
  return lastId === shown.id ? isEnded(shown) : lastId < shown.id || lastId === newestId;
}

/** One that is under way, here or in another process, takes the place of no answer. */
function isEnded({ response, error }: Exchange): boolean {
  return response !== null || (error !== null && error.code !== 'sending.interrupted');
}
