import type { Ports } from '../../platform/ports';
import { formatSortableId, nextSortableId } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import { nothingAnswered } from './choose-answered';
import type { HistoryService } from './create-history-service';

const HistoryError = errorsOf<'history'>();

/**
 * Makes the history of a run that keeps nothing: exchanges have ids, and are forgotten.
 *
 * However many requests such a run sends, it needs no more memory for them, and no database.
 */
export function createUnkeptHistory({ clock }: Pick<Ports, 'clock'>): HistoryService {
  let lastId = 0;
  const nothing = (): [] => [];
  const refuse = ({ id }: { id: string }): never => {
    throw new HistoryError('history.unknown', 'This run keeps no history. Give it a data directory.', {
      details: { id: id.slice(0, 40) },
    });
  };
  return {
    isKept: false,
    nextId: () => formatSortableId((lastId = nextSortableId(clock.now(), lastId))),
    begin: () => undefined,
    finish: () => undefined,
    settle: () => undefined,
    recordBalances: () => undefined,
    renameEnvironment: () => undefined,
    moveRequests: () => undefined,
    close: () => undefined,
    store: {
      listPayments: nothing,
      listSigned: nothing,
      findByAnswer: nothing,
      listOfPayment: nothing,
      findAnswered: () => nothingAnswered,
      hasCheckoutUrl: () => false,
      isKnownRequest: () => false,
      listOwnLocal: nothing,
      listUndecided: nothing,
    },
    balances: {
      listAround: nothing,
      listChanges: nothing,
      countOtherPayments: () => 0,
      listOtherPayments: nothing,
      forgetRound: () => undefined,
    },
    handlers: {
      'history.list': () => ({ exchanges: [], nextBefore: null }),
      'history.pin': () => ({}),
      'history.follow': () => ({}),
      'history.delete': () => ({ deleted: 0 }),
      'history.get': refuse,
      'history.readBody': refuse,
    },
  };
}
