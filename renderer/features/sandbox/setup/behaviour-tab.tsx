import styles from '../sandbox.module.css';
import { useSandboxStore } from '../sandbox-store';
import { FaultsForm } from './faults-form';
import { SettingsForm } from './settings-form';

/** How the sandbox behaves, and what is to go wrong. */
export function BehaviourTab() {
  const faults = useSandboxStore((store) => store.state?.faults);
  const settings = useSandboxStore((store) => store.state?.settings);
  return (
    <div className={styles.setup}>
      <div className={styles.column}>{settings ? <SettingsForm settings={settings} /> : null}</div>
      <div className={styles.column}>{faults ? <FaultsForm faults={faults} /> : null}</div>
    </div>
  );
}
