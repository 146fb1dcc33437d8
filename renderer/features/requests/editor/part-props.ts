import type { OpenTab } from '../requests-store';
import type { RequestInsight } from './inspect-request';

export interface PartProps {
  tab: OpenTab;
  insight: RequestInsight;
}
