import {
  serveProxyWorker,
  type ProxyWorkerEvents,
  type ProxyWorkerMethods,
} from '../lens/proxy/proxy-worker';
import { serveWorker } from '../platform/workers/worker-rpc';

serveWorker<ProxyWorkerMethods, ProxyWorkerEvents>((_options, emit) => serveProxyWorker(emit));
