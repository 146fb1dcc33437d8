import { serveListenerWorker } from '../listener/listener-worker';
import { serveWorker } from '../platform/worker-rpc';

serveWorker((options, emit) => serveListenerWorker(options as { file: string }, emit));
