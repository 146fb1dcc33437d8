import type { Environment } from '@shared/contract/environments';
import { KeyRound } from 'lucide-react';
import { IconButton } from '../../../ui/button';
import { Menu, type MenuAction } from '../../../ui/menu';
import { chooseKey, readKeyInput } from './key-actions';
import { listKeyChoices } from '../requests-selectors';
import { useRequestsStore, type OpenTab } from '../requests-store';

/** Which key signs this request, where there is more than one. */
export function KeyMenu({ tab, environment }: { tab: OpenTab; environment: Environment }) {
  const keys = useRequestsStore((state) => state.keys);
  const chosenId = readKeyInput(tab.keyChoice, environment).keyId ?? environment.keyId;
  const choices = listKeyChoices(keys, environment);
  if (choices.length < 2 && choices[0]?.id === chosenId) return null;
  if (choices.length === 0) return null;
  const actions = choices.map(({ id, label, isOther }, index): MenuAction => ({
    id,
    label: id === chosenId ? `${label} (in use)` : label,
    hasLineAbove: isOther && index > 0 && !choices[index - 1]?.isOther,
    onAction: () => chooseKey(tab.id, environment.id, id === environment.keyId ? null : id),
  }));
  return (
    <Menu
      label="Keys"
      trigger={
        <IconButton label="Choose the key">
          <KeyRound size={13} />
        </IconButton>
      }
      actions={actions}
    />
  );
}
