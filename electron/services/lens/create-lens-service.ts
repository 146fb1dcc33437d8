import type { HandlersOf } from '@shared/contract/contract';
import type { OwnCalls } from '../../lens/golive/read-evidence';
import type { InspectorEvents, InspectorMethods } from '../../lens/inspector-worker';
import { superviseWorker } from '../../platform/workers/supervise-worker';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { createProxyService, type ProxyServiceDeps } from './create-proxy-service';
import { createReceiverService } from './create-receiver-service';

const LensError = errorsOf<'proxy' | 'receiver' | 'golive'>();

export interface LensServiceDeps extends Omit<ProxyServiceDeps, 'ports'> {
  ports: Ports;
  /** What this app sent to the local sandbox itself. */
  listOwn(): Promise<OwnCalls>;
}

type Group = 'proxy' | 'receiver' | 'golive';

export interface LensService {
  handlers: HandlersOf<Group>;
  listOwn: LensServiceDeps['listOwn'];
  close(): Promise<void>;
}

/** What looks at the user's own backend: the proxy in a worker of its own; lists, checks and the report in another. */
export function createLensService(deps: LensServiceDeps): LensService {
  const { ports, events, listOwn } = deps;
  const options = { dataDirectory: ports.dataDirectory ?? '', version: ports.version };
  const inspector = superviseWorker<InspectorMethods, InspectorEvents>(ports, {
    name: 'inspector',
    options,
    // Ended while it reads a database, a thread takes the whole process with it: it is to have read what it was asked for.
    farewell: 'cancel',
    on: {
      playing: (scenario) => receiver.notePlaying(scenario),
      verdict: (result) => receiver.noteVerdict(result),
    },
  });
  const receiver = createReceiverService({
    ports,
    events,
    check: (planned) => inspector.call('check', planned),
    cancel: async () => void (await inspector.call('cancel', {})),
  });
  const proxy = createProxyService(deps);
  const reports = new Set<Promise<unknown>>();
  const ask: typeof inspector.call = (method, ...input) =>
    ports.dataDirectory === null
      ? Promise.reject(
          new LensError('proxy.no_folder', 'Nothing is kept without a data directory: give it one.'),
        )
      : inspector.call(method, ...input);

  return {
    handlers: {
      ...proxy.handlers,
      ...receiver.handlers,
      'proxy.list': (query) => ask('list', query),
      'proxy.get': (input) => ask('get', input),
      'proxy.export': (input) => ask('export', input),
      'golive.report'({ since }) {
        const report = listOwn().then((own) => reportApart(ports, options, { since: since ?? 0, own }));
        reports.add(report);
        return report.finally(() => reports.delete(report));
      },
    },
    listOwn,
    async close() {
      await proxy.close();
      await inspector.close();
      await Promise.allSettled(reports);
    },
  };
}

/**
 * Makes the report in a thread that ends after it: the library keeps files open that were closed, and the sandbox's
 * database may be nobody's but its own when it starts again.
 */
async function reportApart(
  ports: Pick<Ports, 'startWorker'>,
  options: Record<string, unknown>,
  input: Parameters<InspectorMethods['report']>[0],
): ReturnType<InspectorMethods['report']> {
  const inspector = ports.startWorker<InspectorMethods, InspectorEvents>('inspector', options);
  try {
    return await inspector.call('report', input);
  } finally {
    await inspector.terminate();
  }
}
