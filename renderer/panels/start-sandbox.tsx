import { useState } from 'react';
import { useAppStatus } from '../session/app-status';
import { call } from '../transport/client';
import { toClientError, type ClientError } from '../transport/client-error';
import { TextButton } from '../ui/button';

/** The way out where the embedded sandbox was not reached: it is started, and once it runs, asked again. */
export function StartSandbox({ again, onAgain }: { again: string; onAgain: () => void }) {
  const isStopped = useAppStatus((state) => state.status?.sandbox.state !== 'running');
  const [error, setError] = useState<ClientError | null>(null);
  const start = async (): Promise<void> => {
    setError(null);
    await call('sandbox.start', {}).catch((caught: unknown) => setError(toClientError(caught)));
  };
  if (!isStopped) return <TextButton onPress={onAgain}>{again}</TextButton>;
  return (
    <>
      <TextButton onPress={() => void start()}>Start the sandbox</TextButton>
      {error ? <span role="alert">{error.message}</span> : null}
    </>
  );
}
