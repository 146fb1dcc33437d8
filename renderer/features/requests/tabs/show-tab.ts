import { useRequestsStore } from '../requests-store';
import { useRunStore } from '../run/run-store';

/** Shows an open request; a run that stands in its place gives way. */
export function showTab(id: string): void {
  useRequestsStore.setState({ activeId: id });
  useRunStore.setState({ isShown: false });
}
