import {
  serveListenerWorker,
  type ListenerWorkerEvents,
  type ListenerWorkerMethods,
} from '../listener/listener-worker';
import { serveWorker } from '../platform/workers/worker-rpc';

serveWorker<ListenerWorkerMethods, ListenerWorkerEvents>((options, emit) =>
  serveListenerWorker(options as { file: string }, emit),
);
