import { EmptyState } from '../../ui/empty-state';
import { routeHref } from '../../session/routes';
import { beginTask } from '../../session/tasks';
import { Button } from '../../ui/button';

/** The list before anything was sent. */
export function NothingSent() {
  return (
    <EmptyState
      title="Nothing was sent yet"
      action={<Button onPress={() => beginTask('sendFirst')}>Send a first payout</Button>}
    >
      Each request that leaves stands here, with its answer, before anything else is done with it. Or{' '}
      <a href={routeHref('requests')}>open Requests</a>.
    </EmptyState>
  );
}
