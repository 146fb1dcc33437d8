import type { Contract } from '@shared/contract/contract';
import { waitFor, type ContractCase, type Stage } from './contract-stage';

type LensMethod = Extract<keyof Contract, `${'proxy' | 'receiver' | 'golive'}.${string}`>;

const readBaseUrl = async (stage: Stage): Promise<string> => (await stage.call('sandbox.state', {})).baseUrl;

/** Cases of what looks at the user's own backend. */
export const lensCases: { [M in LensMethod]: ContractCase<M> } = {
  'proxy.status': { input: {}, badInput: 0 },
  'proxy.start': {
    input: async (stage) => ({
      target: await readBaseUrl(stage),
      port: 0,
      publicKey: stage.get('keys.generate').publicKeyPem,
    }),
    badInput: { port: -1 },
    refusal: { input: { target: 'ftp://user@host' }, code: 'proxy.bad_target' },
  },
  'proxy.list': {
    async input(stage) {
      const { url } = await stage.call('proxy.start', {
        target: await readBaseUrl(stage),
        port: 0,
      });
      await fetch(`${url}/tsq/v1/wallet-balances?note=${encodeURIComponent('from the backend')}`);
      await waitFor(
        () => stage.call('proxy.list', {}),
        ({ totalCount }) => totalCount > 0,
      );
      return { limit: 10, statusClass: '4xx', text: 'WALLET', onlyFindings: true };
    },
    badInput: { limit: 0 },
  },
  'proxy.get': {
    input: (stage) => ({ id: stage.get('proxy.list').exchanges[0]!.id }),
    badInput: {},
    refusal: { input: { id: 'px_none' }, code: 'proxy.unknown' },
  },
  'proxy.export': { input: { format: 'har' }, badInput: { format: 'pcap' } },
  'proxy.stop': { input: {}, badInput: 1 },
  'receiver.status': { input: {}, badInput: 1 },
  'receiver.check': {
    input: async (stage) => ({
      url: `${(await stage.call('listener.status', { id: 'main' })).url ?? 'http://127.0.0.1:9'}/hooks`,
      scenarios: ['success', 'failed'],
    }),
    badInput: { url: 'http://127.0.0.1:9', scenarios: ['everything'] },
    refusal: { input: { url: 'file:///etc/passwd', scenarios: ['success'] }, code: 'receiver.*' },
  },
  'receiver.cancel': { input: {}, badInput: 1 },
  'golive.report': { input: {}, badInput: { since: 'yesterday' } },
};
