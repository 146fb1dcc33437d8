import { flushLayout } from '../../../session/settings-store';
import { whenIdle } from '../../../ui/when-idle';
import { useRequestsStore } from '../requests-store';
import { keepState } from './drafts';

/** What a kill takes with it is not more than this twice; what is long takes longer to write. */
const keepDelayMs = 300;
const keepLongMs = 1200;
const longChars = 64_000;

/** Keeps tabs and drafts as they change, and at once where the page goes away. @returns ends it */
export function keepOnChange(): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let delayMs = keepDelayMs;
  const keepNow = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    delayMs = keepState(useRequestsStore.getState()) > longChars ? keepLongMs : keepDelayMs;
    flushLayout();
  };
  const stop = useRequestsStore.subscribe((state, before) => {
    if (
      state.tabs === before.tabs &&
      state.activeId === before.activeId &&
      state.collapsed === before.collapsed
    ) {
      return;
    }
    timer ??= setTimeout(() => whenIdle(() => timer && keepNow(), delayMs), delayMs);
  });
  const leave = (): void => {
    if (timer) keepNow();
  };
  window.addEventListener('pagehide', leave);
  return () => {
    stop();
    if (timer) clearTimeout(timer);
    timer = null;
    window.removeEventListener('pagehide', leave);
  };
}
