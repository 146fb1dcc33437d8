import { coalesce } from '../../platform/coalesce';

/** Changes are told at most ten times a second. */
const NOTICE_DELAY_MS = 100;

/** Tells a listener that something which the views show has changed: always the latest, few in a second. */
export interface ChangeNotice {
  tell(reason: string): void;
  close(): void;
}

/** @param listener - gets the reason of the latest change */
export function createChangeNotice(listener: ((reason: string) => void) | undefined): ChangeNotice {
  let latest = '';
  const notice = coalesce(() => listener?.(latest), { delayMs: NOTICE_DELAY_MS });
  return {
    tell(reason) {
      latest = reason;
      notice.ask();
    },
    close: () => notice.cancel(),
  };
}
