import type { EventMap } from '@shared/contract/events';
import type { AppRun, ItemResult } from '@shared/contract/running';
import { selectEnvironmentId, useAppStatus } from '../../../session/app-status';
import { afterReconnect, call, subscribe } from '../../../transport/client';
import { isPassing, toClientError } from '../../../transport/client-error';
import { listFailed, listRunRows, toChosen, type RunRow } from './run-rows';
import { useRequestsStore, updateTab } from '../requests-store';
import { putRun, useRunStore } from './run-store';

/** What the user wants to run: a folder, a file or (empty path) a collection. */
export interface RunWish {
  collectionId: string;
  path: string;
  title: string;
}

/** Runs it where the active environment is; asks first where files are wrong or it is production. */
export async function askToRun(
  { title, ...wish }: RunWish,
  only: AppRun['subject']['only'] = null,
): Promise<void> {
  const environment = selectEnvironmentId(useAppStatus.getState());
  await planRun({ environment, ...wish, only }, title);
}

async function planRun(subject: AppRun['subject'], title: string): Promise<void> {
  useRunStore.setState({ error: null, question: null });
  try {
    const { faults, production, items } = await call('running.plan', subject);
    if (faults.length === 0 && production === null) await startRun(subject, title);
    else
      useRunStore.setState({
        question: { subject, title, faults, production, requestCount: items.length },
      });
  } catch (error) {
    useRunStore.setState({ isShown: true, error: toClientError(error) });
  }
}

/** @param word - for production: its name, as typed, for the plan that was shown @throws {ClientError} */
export async function startRun(
  subject: AppRun['subject'],
  title: string,
  word: { confirmation?: string; mark?: string } = {},
): Promise<void> {
  const run = await call('running.start', { ...subject, ...word });
  useRunStore.setState({ title, isShown: true, selectedId: null, error: null });
  // Events of its first answers may have come before this reply.
  const known = useRunStore.getState().run;
  if (known?.id !== run.id) putRun(run, []);
  await readRun();
}

/** Sends no more, and waits for nothing more. */
export async function cancelRun(): Promise<void> {
  const { run } = useRunStore.getState();
  if (run === null) return;
  try {
    await call('running.cancel', { id: run.id });
  } catch (error) {
    useRunStore.setState({ error: toClientError(error) });
  }
}

/** Runs what failed once more, with what it depends on. */
export async function rerunFailed(): Promise<void> {
  const { run, underWay, title } = useRunStore.getState();
  if (run === null) return;
  await planRun({ ...run.subject, only: listFailed(listRunRows(run, underWay)) }, title);
}

/** Runs one of its requests once more. */
export async function rerunOne(row: RunRow): Promise<void> {
  const { run } = useRunStore.getState();
  if (run === null) return;
  const { collectionId, path } = run.subject;
  await askToRun({ collectionId, path, title: row.item.name }, [toChosen(row)]);
}

/** Runs the same once more. */
export async function rerun(): Promise<void> {
  const { run, title } = useRunStore.getState();
  if (run !== null) await planRun(run.subject, title);
}

export function showRun(isShown: boolean): void {
  useRunStore.setState({ isShown });
}

/** Shows the run that a collection had last, also before the app was started. */
export async function showLastRun({ id, name }: { id: string; name: string }): Promise<void> {
  try {
    const { run } = await call('running.get', { collectionId: id });
    putRun(run, []);
    const title = run === null ? name : '';
    useRunStore.setState({ title, selectedId: null, isShown: true, error: null });
  } catch (error) {
    useRunStore.setState({ isShown: true, error: toClientError(error) });
  }
}

/** Reads the run of the back end: at the start of the window, and where events were missed. */
export async function readRun(): Promise<void> {
  try {
    const { run } = await call('running.get', {});
    const known = useRunStore.getState();
    // An event may have overtaken this answer: a run that is over stays over.
    const isNewer =
      run !== null &&
      (known.run?.id !== run.id ||
        (known.run.results.length <= run.results.length &&
          (known.run.state !== 'over' || run.state === 'over')));
    if (isNewer) putRun(run, run.state === 'over' ? [] : known.underWay);
    const wasUnderWay = known.error?.code === 'running.under_way' && run?.state === 'over';
    if (wasUnderWay || isPassing(known.error)) useRunStore.setState({ error: null });
  } catch (error) {
    useRunStore.setState({ error: toClientError(error) });
  }
}

/** Follows the run of the back end while the window stands. */
export function followRuns(): void {
  subscribe('running.changed', takeChange);
  afterReconnect(() => void readRun());
  void readRun();
}

function takeChange({ id, state, durationMs, results, underWay }: EventMap['running.changed']): void {
  const { run } = useRunStore.getState();
  if (run?.id !== id) {
    void readRun();
    return;
  }
  const known = new Set(run.results.map(({ place }) => place));
  const fresh = results.filter(({ place }) => !known.has(place));
  putRun({ ...run, state, durationMs, results: [...run.results, ...fresh] }, underWay);
  forgetAnswers(run, fresh);
  // Whether it could be kept is told by the run itself.
  if (state === 'over') void readRun();
}

/** An answer that a tab shows is not its request's last once a run has sent that: it is read from history anew. */
function forgetAnswers({ subject, items }: AppRun, fresh: readonly ItemResult[]): void {
  const sent = new Set(fresh.flatMap((one) => (one.exchangeId === null ? [] : items[one.place]?.path)));
  for (const { id, collectionId, path, run } of useRequestsStore.getState().tabs) {
    if (run === null && collectionId === subject.collectionId && sent.has(path))
      updateTab(id, { exchange: null, journey: null, sendError: null });
  }
}
