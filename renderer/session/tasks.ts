import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { navigate, useRoute } from './routes';
import type { ViewId } from './views';

/** What can be asked of a view from anywhere, and the view that does it, with its usual question first. */
const viewOfTask = {
  newRequest: 'requests',
  openFolder: 'requests',
  newCollection: 'requests',
  deletedRequests: 'requests',
  searchRequests: 'requests',
  importRequests: 'requests',
  generateKey: 'keys',
  importKey: 'keys',
  resetSandbox: 'sandbox',
} as const satisfies Record<string, ViewId>;

export type ViewTask = keyof typeof viewOfTask;

const useTask = create<{ task: ViewTask | null }>(() => ({ task: null }));

// Nobody waits any more for what a view could not do before it was left.
useRoute.subscribe(({ view }) => {
  const { task } = useTask.getState();
  if (task !== null && viewOfTask[task] !== view) useTask.setState({ task: null });
});

/** Goes to the view that does it and has it begin there. */
export function beginTask(task: ViewTask): void {
  useTask.setState({ task });
  navigate(viewOfTask[task]);
}

/** Does a task of the calling view when it is asked for: at once, or as soon as the view stands there. */
export function useViewTask(task: ViewTask, begin: () => void): void {
  const isAsked = useTask((state) => state.task === task);
  const latest = useRef(begin);
  useEffect(() => {
    latest.current = begin;
  });
  useEffect(() => {
    if (!isAsked) return;
    useTask.setState({ task: null });
    latest.current();
  }, [isAsked]);
}
