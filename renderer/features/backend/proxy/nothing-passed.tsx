import type { ProxyExchange } from '@shared/contract/proxy';
import { beginTask } from '../../../session/tasks';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-text';
import { EmptyView } from '../../../ui/empty-view';
import { DataTable } from '../../../ui/data-table';
import { proxyColumns } from './exchange-list';
import { useProxyStore } from './proxy-store';

const base = { at: 0, durationMs: 12, method: 'POST', reason: null, problemCount: 0 } as const;
const example: readonly ProxyExchange[] = [
  {
    ...base,
    id: 'a',
    path: '/payments/v1/payouts',
    httpStatus: 201,
    operation: 'payout',
    reference: 'salary-2026-07',
    signature: 'valid',
    causes: [],
  },
  {
    ...base,
    id: 'b',
    path: '/payments/v1/remittance',
    httpStatus: 401,
    operation: 'remittance',
    reference: 'rent-118',
    signature: 'refused',
    causes: ['string.separator'],
  },
];

/** The proxy before the first request: what it is for, and the three steps to it. */
export function NothingPassed() {
  const status = useProxyStore((store) => store.status);
  const isBusy = useProxyStore((store) => store.isBusy);
  const startAgain = useProxyStore((store) => store.startAgain);
  const url = status?.url ?? null;
  return (
    <EmptyView
      title={url === null ? 'Nothing passed yet' : 'Waiting for the first request'}
      steps={[
        {
          title: 'Start the proxy',
          text: `It passes every byte as it is to ${status?.target === '' ? 'the service' : (status?.target ?? 'the service')}.`,
          action:
            url === null ? (
              <Button variant="primary" isDisabled={isBusy} onPress={() => void startAgain()}>
                Start
              </Button>
            ) : (
              'It runs.'
            ),
        },
        {
          title: 'Give your backend its address',
          text: url === null ? 'As base address, in place of the service’s own.' : <code>{url}</code>,
          action: url === null ? null : <CopyButton text={url} name="Copy the address" />,
        },
        {
          title: 'Let it send a payment',
          text: 'With the sandbox as target no money moves, and its keys and credentials are made there.',
          action: <Button onPress={() => beginTask('pointBackend')}>Open Sandbox</Button>,
        },
      ]}
      example={
        <DataTable id="proxy-example" label="Example" columns={proxyColumns.slice(1)} items={example} />
      }
    >
      Your backend’s own requests, each with its signature verified, its fields checked and its payment’s
      journey: what other tools do not see.
    </EmptyView>
  );
}
