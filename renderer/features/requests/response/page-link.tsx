import { useState } from 'react';
import { call, opensPagesByCall } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';
import { ErrorLine } from '../../../ui/error-line';

/** A link to a page outside of the app; the desktop app, whose window goes nowhere else, asks the back end to open it. */
export function PageLink({ url, children }: { url: string; children: string }) {
  const [error, setError] = useState<ClientError | null>(null);
  const open = (): void => {
    setError(null);
    call('app.openExternal', { url }).catch((caught: unknown) => setError(toClientError(caught)));
  };
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => {
          if (!opensPagesByCall()) return;
          event.preventDefault();
          open();
        }}
      >
        {children}
      </a>
      {error ? <ErrorLine error={error} /> : null}
    </>
  );
}
