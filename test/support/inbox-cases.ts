import { waitFor, type ContractCase, type Stage } from './contract-stage';

export const newestId = (stage: Stage): string => stage.get('inbox.list').webhooks[0]!.id;

type InboxMethod =
  | 'inbox.list'
  | 'inbox.get'
  | 'inbox.explainSignature'
  | 'inbox.dismissNotice'
  | 'inbox.markRead'
  | 'inbox.mark'
  | 'inbox.export'
  | 'inbox.replay'
  | 'inbox.cancelReplay'
  | 'inbox.replays';

/** The cases of what reads, marks and replays webhooks; played once two are there. */
export const inboxCases: { [M in InboxMethod]: ContractCase<M> } = {
  'inbox.list': {
    input: async (stage) => {
      await waitFor(
        () => stage.call('inbox.list', {}),
        ({ totalCount }) => totalCount >= 2,
      );
      return { limit: 50 };
    },
    badInput: { filter: 7 },
    refusal: { input: { filter: 'some' }, code: 'inbox.bad_filter' },
  },
  'inbox.get': {
    input: (stage) => ({ id: newestId(stage) }),
    badInput: {},
    refusal: { input: { id: 'zzzz' }, code: 'inbox.unknown' },
  },
  'inbox.explainSignature': {
    input: (stage) => ({ id: newestId(stage) }),
    badInput: { id: 7 },
    refusal: { input: { id: 'zzzz' }, code: 'inbox.unknown' },
  },
  'inbox.dismissNotice': { input: {}, badInput: 3 },
  'inbox.markRead': { input: { isAll: true }, badInput: { ids: 'all' } },
  'inbox.mark': {
    input: (stage) => ({
      ids: [newestId(stage)],
      isPinned: true,
      note: 'ask them',
      tags: ['urgent'],
    }),
    badInput: { ids: ['x'], tags: ['two words'] },
  },
  'inbox.export': {
    input: (stage) => ({ ids: [newestId(stage)], format: 'curl' }),
    badInput: { format: 'xml' },
    refusal: { input: { filter: 'some', format: 'har' }, code: 'inbox.bad_filter' },
  },
  'inbox.replay': {
    input: async (stage) => ({
      id: newestId(stage),
      to: (await stage.call('app.status', {})).environment.variables['callback_url'] ?? '',
    }),
    badInput: { id: 'x' },
    refusal: { input: { id: 'zzzz', to: 'http://127.0.0.1' }, code: 'inbox.unknown' },
  },
  'inbox.cancelReplay': { input: { replayId: 'none-under-way' }, badInput: {} },
  'inbox.replays': { input: (stage) => ({ id: newestId(stage) }), badInput: {} },
};
