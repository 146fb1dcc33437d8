import { TextButton } from './button';
import { ErrorLine, type ShownError } from './error-line';

/** What could not be read, and the way to read it again; nothing where nothing failed. */
export function LoadError({
  error,
  onRetry,
  ...look
}: {
  error: ShownError | null;
  onRetry: () => unknown;
  isApart?: boolean;
  className?: string;
}) {
  if (error === null) return null;
  return (
    <ErrorLine error={error} {...look}>
      <TextButton onPress={() => void onRetry()}>Try again</TextButton>
    </ErrorLine>
  );
}
