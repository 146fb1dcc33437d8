import { serveExchangeHelper, type ExchangeHelperMethods } from '../lens/proxy/exchange-helper';
import { serveWorker } from '../platform/workers/worker-rpc';

serveWorker<ExchangeHelperMethods, Record<never, never>>(() => serveExchangeHelper());
