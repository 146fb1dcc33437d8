import type { ReactNode } from 'react';
import { CopyButton, CopyText } from '../../ui/copy-text';
import { groupFingerprint } from '../../ui/group-fingerprint';
import styles from './keys.module.css';

/** The fingerprint of a key, in groups that can be read aloud. */
export function Fingerprint({ fingerprint }: { fingerprint: string }) {
  return (
    <div className={styles.fingerprint}>
      <span className={styles.caption}>SHA-256 of the public key (SPKI)</span>
      <CopyText text={fingerprint} label="fingerprint">
        {groupFingerprint(fingerprint)}
      </CopyText>
    </div>
  );
}

/** The public half of a key as PEM, with what can be done with it. */
export function PublicHalf(props: { pem: string; label: string; title: string; children?: ReactNode }) {
  return (
    <section className={styles.block} aria-label={props.label}>
      <header className={styles.blockHead}>
        <h3>{props.title}</h3>
        <span className={styles.buttons}>
          <CopyButton text={props.pem} name="Copy the public key" />
          {props.children}
        </span>
      </header>
      <pre className={styles.pem} tabIndex={0}>
        {props.pem.trim()}
      </pre>
    </section>
  );
}
