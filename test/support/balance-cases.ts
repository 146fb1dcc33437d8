import type { Contract } from '@shared/contract/contract';
import { localEnvironment as local, type ContractCase } from './contract-stage';

type BalanceMethod = Extract<keyof Contract, `balances.${string}`>;

/** Cases of balances and of what payments did to them. */
export const balanceCases: { [M in BalanceMethod]: ContractCase<M> } = {
  'balances.fetch': {
    input: { environment: local, product: 'remittance' },
    badInput: { environment: local, product: 'wallets' },
    refusal: { input: { environment: 'data/nowhere', product: 'payout' }, code: 'environments.unknown' },
  },
  'balances.readings': {
    input: { environment: local },
    badInput: { environment: 7 },
    refusal: { input: { environment: 'data/nowhere' }, code: 'environments.unknown' },
  },
  'balances.around': {
    input: async (stage) => ({
      reference: (await stage.call('journey.list', {})).journeys[0]!.reference,
    }),
    badInput: { reference: '' },
    refusal: { input: { reference: 'never-sent', environment: 'local' }, code: 'journey.unknown' },
  },
};
