import type { MethodOutput } from '@shared/contract/contract';
import type { AppRun } from '@shared/contract/running';
import { create } from 'zustand';
import type { ClientError } from '../../../transport/client-error';
import { markFiles, type RunRowState } from './run-rows';

type RunPlanReply = MethodOutput<'running.plan'>;

/** What a run is asked about before it begins: faults of the files, or the word for production. */
export interface RunQuestion {
  subject: AppRun['subject'];
  title: string;
  faults: RunPlanReply['faults'];
  production: RunPlanReply['production'];
  requestCount: number;
}

interface RunStore {
  /** The run under way, else the last. */
  run: AppRun | null;
  /** What it is of: the name of a folder, file or collection; empty: its subject says it. */
  title: string;
  /** Places of the requests that were sent and have no outcome yet. */
  underWay: readonly number[];
  /** It stands in place of editor and answer. */
  isShown: boolean;
  selectedId: string | null;
  question: RunQuestion | null;
  error: ClientError | null;
  /** By path of the file, of the run's collection. */
  marks: ReadonlyMap<string, RunRowState>;
}

/** State of the run of a collection; the actions beside it change it. */
export const useRunStore = create<RunStore>(() => ({
  run: null,
  title: '',
  underWay: [],
  isShown: false,
  selectedId: null,
  question: null,
  error: null,
  marks: new Map(),
}));

/** Puts a run, or what has become of it, into the store. */
export function putRun(run: AppRun | null, underWay: readonly number[]): void {
  useRunStore.setState({ run, underWay, marks: markFiles(run) });
}

/** Tells whether a run sends requests, or waits for what comes of them. */
export function isRunUnderWay(): boolean {
  const { run } = useRunStore.getState();
  return run !== null && run.state !== 'over';
}
