import { useAppStatus } from '../../../session/app-status';
import { editBody } from '../editor/edit-actions';
import { readInsight, reuseValues } from '../requests-selectors';
import { findTab, updateTab } from '../requests-store';
import { locateField } from '../response/locate-field';
import { readReferenceUse } from './ask-about-reference';
import { renewDynamicValues } from './sending-actions';

const field = 'transaction.reference';

/** Makes the next send of a tab go under the reference of its last answer, or under one of its own. */
export function chooseReference(id: string, wanted: 'same' | 'new'): void {
  const tab = findTab(id);
  if (!tab?.exchange?.reference) return;
  const { reference } = tab.exchange;
  const isSame = (): boolean => readUse(id)?.isSame ?? false;
  if (isSame() === (wanted === 'same')) return;
  if (wanted === 'same') {
    reuseValues(id, tab.dynamicRound + 1);
    updateTab(id, { dynamicRound: tab.dynamicRound + 1 });
    if (!isSame()) writeReference(id, reference);
  } else {
    renewDynamicValues(id);
    if (isSame()) writeReference(id, crypto.randomUUID());
  }
}

function readUse(id: string) {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment ?? null;
  if (!tab || !environment) return null;
  return readReferenceUse(tab, readInsight(tab, environment).prepared, environment.id);
}

/** The reference stands in the body as typed: it is changed there, and undo takes it back. */
function writeReference(id: string, reference: string): void {
  const tab = findTab(id);
  const environment = useAppStatus.getState().status?.environment ?? null;
  const body = tab ? (readInsight(tab, environment).block?.body ?? '') : '';
  const range = locateField(body, field);
  if (range === null || body[range.start] !== '"') return;
  editBody(id, body.slice(0, range.start) + JSON.stringify(reference) + body.slice(range.end));
}
