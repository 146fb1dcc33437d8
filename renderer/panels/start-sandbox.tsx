import { useAppStatus } from '../session/app-status';
import { call } from '../transport/client';
import { TextButton } from '../ui/button';
import { useAttempt } from '../ui/use-attempt';

/** The way out where the embedded sandbox was not reached: it is started, and once it runs, asked again. */
export function StartSandbox({ again, onAgain }: { again: string; onAgain: () => void }) {
  const isStopped = useAppStatus((state) => state.status?.sandbox.state !== 'running');
  const { error, run } = useAttempt();
  if (!isStopped)
    return (
      <TextButton isOnce onPress={onAgain}>
        {again}
      </TextButton>
    );
  return (
    <>
      <TextButton isOnce onPress={() => void run(() => call('sandbox.start', {}))}>
        Start the sandbox
      </TextButton>
      {error ? <span role="alert">{error.message}</span> : null}
    </>
  );
}
