import { findAction, type ViewTask } from '@shared/actions/action-list';
import type { ViewId } from '@shared/actions/view-list';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { navigate, useRoute } from './routes';

const useTask = create<{ task: ViewTask | null }>(() => ({ task: null }));

/** The view that does it, with its usual question first. */
const viewOf = (task: ViewTask): ViewId => findAction(task)?.begins ?? 'requests';

// Nobody waits any more for what a view could not do before it was left.
useRoute.subscribe(({ view }) => {
  const { task } = useTask.getState();
  if (task !== null && viewOf(task) !== view) useTask.setState({ task: null });
});

/** A view that does it is still to come. */
export const isTaskPending = (): boolean => useTask.getState().task !== null;

/** Nobody waits any more for what a view was asked to do. */
export function callOffTask(): void {
  useTask.setState({ task: null });
}

/** Goes to the view that does it and has it begin there. */
export function beginTask(task: ViewTask): void {
  useTask.setState({ task });
  navigate(viewOf(task));
}

/**
 * Does a task of the calling view when it is asked for: at once, or as soon as the view stands there.
 * @param isReady - the view has read what the task needs; until then the task waits
 */
export function useViewTask(task: ViewTask, begin: () => void, isReady = true): void {
  const isAsked = useTask((state) => state.task === task) && isReady;
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
