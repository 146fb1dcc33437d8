import type { ReactNode } from 'react';
import styles from './empty-view.module.css';

export interface FirstStep {
  title: string;
  text: ReactNode;
  /** One control that does it, or leads there. */
  action: ReactNode;
}

/** A view that has nothing to show yet uses its room: what it is for, what to do first, how it looks when full. */
export function EmptyView({
  title,
  children,
  steps = [],
  example,
}: {
  title: string;
  children: ReactNode;
  steps?: readonly FirstStep[];
  example?: ReactNode;
}) {
  return (
    <div className={styles.view}>
      <div className={styles.middle}>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{children}</p>
        {steps.length > 0 ? <Steps steps={steps} /> : null}
        {example ? <Example>{example}</Example> : null}
      </div>
    </div>
  );
}

function Steps({ steps }: { steps: readonly FirstStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step.title} className={styles.step}>
          {steps.length > 1 ? (
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
          ) : null}
          <div className={styles.what}>
            <b>{step.title}</b>
            <p>{step.text}</p>
          </div>
          <div className={styles.action}>{step.action}</div>
        </li>
      ))}
    </ol>
  );
}

/** Real parts with made-up values, marked as such; neither the keyboard nor a screen reader comes upon them. */
export function Example({ children }: { children: ReactNode }) {
  return (
    <div className={styles.example} aria-hidden="true" inert>
      <span className={styles.mark}>Example</span>
      <div className={styles.faded}>{children}</div>
    </div>
  );
}

/** Grey bars where rows will stand, fainter from one to the next. */
export function GhostRows() {
  return (
    <div aria-hidden="true">
      {[46, 38, 52, 42].map((percent) => (
        <div key={percent} className={styles.ghost}>
          <span style={{ width: `${percent}%` }} />
          <span style={{ width: `${percent + 24}%` }} />
        </div>
      ))}
    </div>
  );
}
