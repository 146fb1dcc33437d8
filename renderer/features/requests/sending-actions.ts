import { useAppStatus } from '../../transport/app-status';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { readInsight } from './requests-selectors';
import { findTab, updateTab, useRequestsStore } from './requests-store';

/**
 * Sends a tab's request: exactly what the preview shows.
 *
 * Variables without a value stop it once; `isSure` sends them as they stand. Afterwards `{{$…}}` values are drawn afresh.
 */
export async function sendRequest(id: string, isSure = false): Promise<void> {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment;
  if (!tab || tab.state !== 'ready' || tab.run || !environment) return;
  const { block, resolved } = readInsight(tab, environment);
  if (!block || !resolved) return;
  if (resolved.unresolved.length > 0 && !isSure) {
    updateTab(id, { isSendDoubted: true });
    return;
  }
  const sendId = crypto.randomUUID();
  updateTab(id, { run: { sendId, startedAt: Date.now() }, sendError: null, isSendDoubted: false });
  try {
    const exchange = await call('sending.send', {
      environment: environment.name,
      operation: block.operation,
      title: tab.title,
      method: resolved.method,
      url: resolved.url,
      headers: resolved.headers,
      body: resolved.body,
      sendId,
    });
    const round = (findTab(id)?.dynamicRound ?? 0) + 1;
    updateTab(id, { exchange, run: null, journey: null, dynamicRound: round });
    if (exchange.reference !== null) await loadJourney(id);
  } catch (error) {
    // An earlier answer under the error would read as the answer to this one; history has it.
    updateTab(id, { run: null, exchange: null, journey: null, sendError: toClientError(error) });
  }
}

/** Stops a call that is under way; its answer is then `sending.canceled`. */
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

/** Reads the journey of the reference that was sent; one that the back end does not know yet is none. */
export async function loadJourney(id: string): Promise<void> {
  const exchange = findTab(id)?.exchange;
  if (!exchange || exchange.reference === null) return;
  try {
    const journey = await call('journey.get', { reference: exchange.reference });
    if (findTab(id)?.exchange?.id === exchange.id) updateTab(id, { journey });
  } catch (error) {
    if (toClientError(error).code !== 'journey.unknown') updateTab(id, { journey: null });
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

/** Shows the last answer of a request that was sent before this window was opened. */
export async function loadLastExchange(id: string): Promise<void> {
  const tab = findTab(id);
  if (!tab || tab.exchange || tab.run) return;
  try {
    const { exchanges } = await call('history.list', { title: tab.title, limit: 1 });
    const last = exchanges[0];
    if (!last) return;
    const exchange = await call('history.get', { id: last.id });
    const now = findTab(id);
    if (!now || now.exchange || now.run) return;
    updateTab(id, { exchange });
    await loadJourney(id);
  } catch {
    // History is a convenience here: without it the pane says that nothing was sent yet.
  }
}
