import type { ContractCase } from './contract-stage';

type Covered = 'app.takeLink' | 'app.showActions' | 'app.comeToFront' | 'settings.get' | 'settings.update';

/** What the window asks of the desktop, and its settings. */
export const appCases: { [M in Covered]: ContractCase<M> } = {
  'app.takeLink': { input: {}, badInput: 'first' },
  'app.showActions': { input: { ids: ['send'] }, badInput: { ids: 'send' } },
  'app.comeToFront': { input: {}, badInput: 'now' },
  'settings.get': { input: {}, badInput: [] },
  'settings.update': {
    input: { theme: 'dark', layout: { tree: 240 }, requestTimeoutMs: 20_000 },
    badInput: { theme: 'pink' },
    refusal: { input: { layout: { tree: 'x'.repeat(3_000_000) } }, code: 'settings.*' },
  },
};
