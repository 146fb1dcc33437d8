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

/**
 * The switch of that choice; every text that is shown follows at once.
 * @param whyNot - why the lines beside it do not wrap, whatever is chosen; null: they do as chosen
 */
export function WrapSwitch({ whyNot = null }: { whyNot?: string | null }) {
  const isOn = useWrap();
  if (whyNot !== null) {
    return (
      // A button that is disabled has no tooltip of its own.
      <span title={whyNot}>
        <IconButton label={whyNot} isDisabled>
          <WrapText size={14} />
        </IconButton>
      </span>
    );
  }
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
