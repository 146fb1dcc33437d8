import type { Product } from '@shared/payments/tables/products';
import type { ServiceRequest } from '../http/service-request';

/** The body of an initiation, as far as the sandbox looks at it, once its fields were checked. */
export interface InitiationBody {
  readonly transaction: { reference: string; amount: number; currency: string; description: string };
  readonly recipient?: { account: string };
  readonly customer?: { name?: string };
  readonly callback_url: string;
  readonly redirect_url?: string;
}

/** An initiation whose signature and fields are right. */
export interface Initiation {
  readonly product: Product;
  readonly request: ServiceRequest;
  readonly body: InitiationBody;
  /** The body's `meta`, as written there; null where it has none. */
  readonly metaJson: string | null;
}
