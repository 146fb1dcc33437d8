import { expect, it } from 'vitest';
import type { MenuAction } from '../ui/menu';
import { listExchangeActions, listReferenceActions } from './exchange-menu';

const list = (actions: readonly MenuAction[]) =>
  actions.map(({ label, obstacle }) => (obstacle ? `${label}: ${obstacle}` : label));
const open = (): void => undefined;

it('offers the journey and the reference of a request that names one, and says what opening it does', () => {
  const request = { path: '/v1/x', reference: 'R-1' };
  expect(list(listExchangeActions(request, open))).toEqual([
    'Open',
    'Open the journey',
    'Copy the reference',
    'Copy the address path',
  ]);
  expect(list(listExchangeActions(request, open, 'Explain the signature'))[0]).toBe('Explain the signature');
  expect(list(listExchangeActions({ ...request, reference: null }, open)).slice(1, 3)).toEqual([
    'Open the journey: It names no reference',
    'Copy the reference: It has none',
  ]);
});

it('offers what a row has to copy, and says what it lacks', () => {
  const actions = listReferenceActions('R-1', [
    ['Copy the payment UUID', '104'],
    ['Copy the webhook-id', null],
  ]);
  expect(list(actions).slice(2)).toEqual(['Copy the payment UUID', 'Copy the webhook-id: It has none']);
});
