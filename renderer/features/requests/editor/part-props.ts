import type { OpenTab } from '../requests-store';
import type { RequestInsight } from './inspect-request';

/** What each part of a request is shown from. */
export interface PartProps {
  tab: OpenTab;
  insight: RequestInsight;
}
