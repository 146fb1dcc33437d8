import type { ReactNode } from 'react';
import { TriangleAlert } from 'lucide-react';
import { CopyText } from './copy-text';
import { cx } from './cx';
import { ForeignText } from './foreign-text';
import styles from './error-line.module.css';
import tones from './tone.module.css';

/** What an error must have to be shown; `ClientError` fits. */
export interface ShownError {
  message: string;
  code?: string;
}

/** One line that says what failed and what to do; the code copies on click. `children` is the way out (a TextButton). */
export function ErrorLine({
  error,
  tone = 'bad',
  isQuiet = false,
  isApart = false,
  children,
  className,
}: {
  error: ShownError;
  tone?: 'bad' | 'warn';
  /** It comes and goes as one types: it is not read out each time. */
  isQuiet?: boolean;
  /** With room around it, between what goes from edge to edge. */
  isApart?: boolean;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={cx(styles.line, tones[tone], isApart && styles.apart, className)}
      role={tone === 'bad' && !isQuiet ? 'alert' : undefined}
    >
      <TriangleAlert size={13} aria-hidden="true" />
      <span className={styles.message}>
        <ForeignText text={error.message} hasCode />
        {error.code ? (
          <>
            {' '}
            <CopyText text={error.code} className={styles.code} label="error code" />
          </>
        ) : null}
      </span>
      {children}
    </div>
  );
}
