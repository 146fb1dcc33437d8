import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import type { ProxyFilter } from '@shared/contract/proxy';
import type { GoliveReport } from '@shared/contract/golive';
import type { ReceiverScenario, ScenarioResult } from '@shared/receiver-check/receiver-scenarios';
import { describeExercise, judgeBackend } from '@shared/golive/rules';
import { readEvidence, settleRequestLog, type OwnCalls } from './golive/read-evidence';
import { exportExchanges } from './proxy/export-exchanges';
import { isFileThere } from '../platform/files/files';
import { openExchangeStore, proxyFile, type ExchangeQuery, type ExchangeStore } from './proxy/exchange-store';
import { detailExchange, summarizeExchange } from './proxy/view-exchange';
import { playCheck, type PlannedCheck } from './receiver-check/play-check';

export type InspectorMethods = ReturnType<typeof serveInspector>;
export type InspectorEvents = {
  playing: ReceiverScenario;
  verdict: ScenarioResult;
};

/**
 * Reads and judges on a worker's side what the user's own backend did: nothing here may hold up what passes a proxy, nor
 * the app.
 */
export function serveInspector(
  { dataDirectory, version }: { dataDirectory: string; version: string },
  emit: <E extends keyof InspectorEvents & string>(event: E, payload: InspectorEvents[E]) => void,
) {
  let playing: AbortController | null = null;

  let opened: { store: ExchangeStore; inode: number } | null = null;

  /** Opened again where the writer has put a damaged file aside. */
  const withStore = <T>(ask: (store: ExchangeStore) => T, otherwise: T): T => {
    const file = join(dataDirectory, proxyFile);
    const inode = isFileThere(file) ? statSync(file).ino : null;
    if (opened !== null && opened.inode !== inode) {
      opened.store.close();
      opened = null;
    }
    if (inode === null) return otherwise;
    opened ??= { store: openExchangeStore(dataDirectory, null), inode };
    return ask(opened.store);
  };

  return {
    list: (query: ExchangeQuery) =>
      withStore(
        (store) => {
          const exchanges = store.list(query).map(summarizeExchange);
          const isFull = exchanges.length === query.limit;
          return { exchanges, nextBefore: isFull ? exchanges.at(-1)!.id : null, totalCount: store.count() };
        },
        { exchanges: [], nextBefore: null, totalCount: 0 },
      ),
    get({ id }: { id: string }) {
      const found = withStore((store) => store.find(id), null);
      if (found !== null) return detailExchange(found);
      throw new AppError(
        'proxy.unknown',
        'This exchange is not kept, or not any more. Read the list again.',
        {
          details: { id },
        },
      );
    },
    export: (input: ProxyFilter & { format: 'har' | 'jsonl' }) =>
      withStore((store) => exportExchanges(store, { ...input, version }), {
        content: '',
        count: 0,
        isCut: false,
      }),
    report: ({ since, own }: { since: number; own: OwnCalls }) => report(dataDirectory, since, own),
    async check(planned: PlannedCheck) {
      playing?.abort();
      const mine = (playing = new AbortController());
      await playCheck(planned, emit, mine.signal);
      return { isCanceled: mine.signal.aborted };
    },
    cancel: (_input: object) => playing?.abort(),
  };
}

async function report(dataDirectory: string, since: number, own: OwnCalls): Promise<GoliveReport> {
  await settleRequestLog(dataDirectory);
  const evidence = readEvidence(dataDirectory, since, own);
  const webhooks = new Set(evidence.webhooks.map(({ id }) => id));
  const kindOf = (id: string) =>
    webhooks.has(id)
      ? ('webhook' as const)
      : id.startsWith('px_')
        ? ('proxy' as const)
        : ('sandbox' as const);
  return {
    rules: judgeBackend(evidence).map(({ rule, verdict, message, evidence: ids, exercise }) => ({
      rule,
      verdict,
      message,
      exercise,
      action: describeExercise(rule),
      evidence: ids.map((id) => ({ id, kind: kindOf(id) })),
    })),
    callCount: evidence.calls.length,
    webhookCount: evidence.webhooks.length,
    isCut: evidence.isCut,
  };
}
