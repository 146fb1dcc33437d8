import { serveInspector, type InspectorEvents, type InspectorMethods } from '../lens/inspector-worker';
import { serveWorker } from '../platform/workers/worker-rpc';

serveWorker<InspectorMethods, InspectorEvents>((options, emit) =>
  serveInspector(options as { dataDirectory: string; version: string }, emit),
);
