import { replaceRoute } from '../../session/routes';
import { useInboxStore } from './inbox-store';
import { LOCAL } from './team/team-store';

/** Goes to a webhook of the inbox on show; the address names a team's inbox, too. */
export function showWebhook(id: string): void {
  const { store } = useInboxStore.getState();
  replaceRoute('inbox', store === LOCAL ? id : `${store}/${id}`);
}
