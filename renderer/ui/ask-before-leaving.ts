import { useEffect } from 'react';

/** Has the window ask, before it is closed or loaded anew, while something is typed that would go with it. */
export function useAskBeforeLeaving(isTyped: () => boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (isTyped()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  });
}
