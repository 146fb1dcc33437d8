import type { OperationName } from '@shared/payments/tables/operations';
import type { HttpRequest } from '../../platform/http1/connection';
import type { Answer } from '../http/answers';

/** A request that was answered, as it came: nothing of it has been copied, masked or written yet. */
export interface ReceivedRequest {
  readonly id: string;
  /** By the sandbox's clock. */
  readonly at: number;
  readonly durationMs: number;
  /** Null: at an address that the service does not have. */
  readonly operation: OperationName | null;
  readonly reference: string | null;
  readonly request: HttpRequest;
  readonly answer: Answer;
  /** The connection was closed in place of the answer, as the faults ask. */
  readonly isDropped: boolean;
}
