import { call, opensPagesByCall } from '../../../transport/client';
import { ErrorLine } from '../../../ui/error-line';
import { useAttempt } from '../../../ui/use-attempt';

/** A link to a page outside of the app; the desktop app, whose window goes nowhere else, asks the back end to open it. */
export function PageLink({ url, children }: { url: string; children: string }) {
  const { error, run } = useAttempt();
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          if (!opensPagesByCall()) return;
          event.preventDefault();
          void run(() => call('app.openExternal', { url }));
        }}
      >
        {children}
      </a>
      {error ? <ErrorLine error={error} /> : null}
    </>
  );
}
