import { WrapText } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from './button';
import { readRemembered, remember } from './remembered';

const wrapKey = 'text.wrap';
const listeners = new Set<() => void>();
const isWrapped = (): boolean => readRemembered(wrapKey) !== false;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether long lines wrap at the edge: one choice for every text, kept from one start to the next. */
export function useWrap(): boolean {
  return useSyncExternalStore(subscribe, isWrapped);
}

/** The switch of that choice; every text that is shown follows at once. */
export function WrapSwitch() {
  const isOn = useWrap();
  const change = (): void => {
    remember(wrapKey, !isOn);
    for (const listener of listeners) listener();
  };
  return (
    <IconButton label={isOn ? 'Do not wrap lines' : 'Wrap lines'} isActive={isOn} onPress={change}>
      <WrapText size={14} />
    </IconButton>
  );
}
