import type { Environment } from '@shared/contract/environments';
import type { EnvironmentDraft } from './environment-draft';

/** What each part of the form gets. */
export interface FieldsProps {
  draft: EnvironmentDraft;
  change: (change: Partial<EnvironmentDraft>) => void;
  /** What is wrong, by field. */
  faults: Partial<Record<string, string>>;
  /** Null: a new one. */
  environment: Environment | null;
}
