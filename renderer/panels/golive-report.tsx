import type { GoliveReport } from '@shared/contract/golive';
import { useEffect } from 'react';
import { navigate } from '../session/routes';
import { Button, TextButton } from '../ui/button';
import { LoadError } from '../ui/load-error';
import { formatExact } from '../ui/format-time';
import { Menu } from '../ui/menu';
import { Select } from '../ui/select';
import { Skeleton } from '../ui/spinner';
import { Tag, type Tone } from '../ui/tag';
import styles from './golive-report.module.css';
import { spans, useGoliveStore } from './golive-store';
import tones from '../ui/tone.module.css';

type Rule = GoliveReport['rules'][number];

const verdicts: Record<Rule['verdict'], { text: string; tone: Tone }> = {
  broken: { text: 'broken', tone: 'bad' },
  held: { text: 'held', tone: 'good' },
  not_seen: { text: 'not seen', tone: 'quiet' },
};

/** What the user's backend did, rule by rule: broken ones first, each with the exchanges that show it. */
export function GoliveReportPanel() {
  const report = useGoliveStore((state) => state.report);
  const load = useGoliveStore((state) => state.load);
  const error = useGoliveStore((state) => state.error);
  useEffect(() => void load(), [load]);
  return (
    <div className={styles.panel}>
      <ReportBar />
      <LoadError error={error} isApart onRetry={load} />
      {report === null ? error ? null : <Skeleton lines={8} /> : <Rules report={report} />}
    </div>
  );
}

function ReportBar() {
  const { report, madeAt, span, isBusy, error, load, choose, save } = useGoliveStore();
  return (
    <div className={styles.bar}>
      <span className={styles.summary} role="status" aria-label="Summary">
        {report !== null ? summarize(report) : error ? 'Not judged' : 'Reading what your backend did…'}
      </span>
      {report === null ? null : (
        <span className={styles.made}>{`made ${formatExact(madeAt).slice(11, 19)}`}</span>
      )}
      <Select
        label="Of"
        isLabelHidden
        className={styles.span}
        options={spans.map(({ id, label }) => ({ id, label }))}
        selected={span}
        onSelect={(id) => void choose(id)}
      />
      <Button isPending={isBusy} onPress={() => void load()}>
        Judge again
      </Button>
      <Menu
        label="Export"
        trigger={<Button obstacle={report === null && 'There is no report yet'}>Export</Button>}
        actions={[
          { id: 'md', label: 'Markdown', onAction: () => save('md') },
          { id: 'html', label: 'HTML', onAction: () => save('html') },
          { id: 'json', label: 'JSON', onAction: () => save('json') },
        ]}
      />
    </div>
  );
}

function summarize({ rules, callCount, webhookCount }: GoliveReport): string {
  const count = (wanted: Rule['verdict']): number => rules.filter(({ verdict }) => verdict === wanted).length;
  const seen = `${callCount.toLocaleString('en')} ${callCount === 1 ? 'request' : 'requests'}, ${webhookCount.toLocaleString('en')} ${webhookCount === 1 ? 'webhook' : 'webhooks'}`;
  return `${count('broken')} broken, ${count('held')} held, ${count('not_seen')} not seen, in ${seen}.`;
}

const order: readonly Rule['verdict'][] = ['broken', 'not_seen', 'held'];

function Rules({ report: { rules, callCount } }: { report: GoliveReport }) {
  const sorted = rules.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return (
    <div className={styles.rules} tabIndex={0} role="group" aria-label="Rules">
      {callCount === 0 ? (
        <p className={styles.hint}>
          Nothing of your backend was seen yet. Have it use the sandbox, or the proxy as its base address;
          what this app sends itself does not count.
        </p>
      ) : null}
      <ul>
        {sorted.map((rule) => (
          <RuleRow key={rule.rule} rule={rule} />
        ))}
      </ul>
    </div>
  );
}

function RuleRow({ rule: { rule, verdict, message, evidence, action } }: { rule: Rule }) {
  const { text, tone } = verdicts[verdict];
  return (
    <li className={styles.rule} data-verdict={verdict}>
      <code>{rule}</code>
      <Tag tone={tone}>{text}</Tag>
      <p>{message}</p>
      {evidence.length === 0 ? null : (
        <p className={styles.evidence}>
          {evidence.map((one) => (
            <TextButton key={`${one.kind}-${one.id}`} onPress={() => openEvidence(one)}>
              {one.id.slice(0, 11)}
            </TextButton>
          ))}
        </p>
      )}
      {verdict === 'not_seen' ? <p className={tones.soft}>{`To exercise it: ${action}.`}</p> : null}
    </li>
  );
}

/** Goes where the request or webhook is shown whole. */
function openEvidence({ id, kind }: Rule['evidence'][number]): void {
  if (kind === 'proxy') navigate('backend', `proxy/${id}`);
  else navigate('sandbox', `${kind === 'webhook' ? 'deliveries' : 'requests'}/${id}`);
}
