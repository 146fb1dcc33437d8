import { navigate } from '../../session/routes';
import { mainButton } from '../../ui/main-button';
import { CopyButton } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { EmptyView } from '../../ui/empty-view';
import type { WebhookLine } from './inbox-selectors';
import { useInboxStore } from './inbox-store';
import { LOCAL } from './team/team-store';
import { WebhookRow } from './webhook-rows';

const example: WebhookLine = {
  receivedAt: new Date(2026, 0, 5, 10, 2, 14).getTime(),
  method: 'POST',
  path: '/',
  contentType: 'application/json',
  sizeBytes: 214,
  status: 'SUCCESS',
  amount: '1500',
  clientReference: 'INV-2026-0042',
  paymentUuid: '8800417',
  respondedStatus: 200,
  isRead: false,
  isKeptCut: false,
  verdict: 'unsigned',
  isPinned: false,
  tags: [],
  earlierAttempts: 0,
  answers: {
    exchangeId: 'example',
    title: 'Remittance to M-Pesa',
    operation: 'remittance',
    sentAt: new Date(2026, 0, 5, 10, 2, 12).getTime(),
    currency: 'KES',
  },
};

/** The inbox before its first webhook. */
export function NoWebhooks() {
  const url = useInboxStore((state) => state.listener?.url ?? null);
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  if (!isLocal) return <EmptyState title="Nothing has come into this team inbox yet" />;
  return (
    <EmptyView
      title={url === null ? 'No webhook can come in yet' : 'Waiting for the first webhook'}
      steps={[
        {
          title: 'Send a payout or a remittance',
          text: 'The sandbox settles it and calls back about two seconds later.',
          action: mainButton('Open Requests', () => navigate('requests')),
        },
        ...(url === null
          ? []
          : [
              {
                title: 'Or point your backend here',
                text: 'As the callback_url of what it sends.',
                action: <CopyButton text={url} label="Copy the address" />,
              },
            ]),
      ]}
      example={<WebhookRow webhook={example} />}
    >
      {url === null
        ? 'Start the listener on the left. What is sent to it stands here the moment it is on disk.'
        : `Whatever is sent to ${url} stands here the moment it is on disk: bytes, headers, and the request that it answers.`}
    </EmptyView>
  );
}
