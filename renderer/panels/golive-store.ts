import type { GoliveReport } from '@shared/contract/golive';
import { writeHtml, writeMarkdown } from '@shared/golive/write-report';
import { create } from 'zustand';
import { call } from '../transport/client';
import { toClientError, type ClientError } from '../transport/client-error';
import { saveFile } from '../ui/save-file';

export const spans = [
  { id: 'all', label: 'All that is kept', hours: null },
  { id: '1', label: 'The last hour', hours: 1 },
  { id: '24', label: 'The last day', hours: 24 },
] as const;

export type SpanId = (typeof spans)[number]['id'];

interface GoliveState {
  report: GoliveReport | null;
  /** When it was made, by this machine's clock. */
  madeAt: number;
  span: SpanId;
  isBusy: boolean;
  error: ClientError | null;
  load(): Promise<void>;
  choose(span: SpanId): Promise<void>;
  save(format: 'md' | 'html' | 'json'): void;
}

const msPerHour = 3_600_000;

/** The report as it was made last; made again when it is asked for. */
export const useGoliveStore = create<GoliveState>()((set, get) => {
  let loadNumber = 0;
  return {
    report: null,
    madeAt: 0,
    span: 'all',
    isBusy: false,
    error: null,
    load: async () => {
      const mine = ++loadNumber;
      set({ isBusy: true, error: null });
      const hours = spans.find(({ id }) => id === get().span)?.hours ?? null;
      try {
        const report = await call('golive.report', {
          since: hours === null ? null : Date.now() - hours * msPerHour,
        });
        if (mine === loadNumber) set({ report, madeAt: Date.now(), isBusy: false });
      } catch (error) {
        if (mine === loadNumber) set({ error: toClientError(error), isBusy: false });
      }
    },
    choose: (span) => {
      set({ span });
      return get().load();
    },
    save: (format) => {
      const { report } = get();
      if (report === null) return;
      const rules = report.rules.map((rule) => ({ ...rule, evidence: rule.evidence.map(({ id }) => id) }));
      if (format === 'md') saveFile('go-live.md', writeMarkdown(rules), 'text/markdown');
      else if (format === 'html') saveFile('go-live.html', writeHtml(rules), 'text/html');
      else {
        const text = `${JSON.stringify({ rules, cut: report.isCut }, null, 2)}\n`;
        saveFile('go-live.json', text, 'application/json');
      }
    },
  };
});
