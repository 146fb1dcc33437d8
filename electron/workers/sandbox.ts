import { serveWorker } from '../platform/workers/worker-rpc';
import {
  serveSandboxWorker,
  type SandboxWorkerEvents,
  type SandboxWorkerMethods,
} from '../sandbox/sandbox-worker';

serveWorker<SandboxWorkerMethods, SandboxWorkerEvents>((_options, emit) => serveSandboxWorker(emit));
