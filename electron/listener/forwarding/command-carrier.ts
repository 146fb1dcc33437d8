import { spawn, type ChildProcess } from 'node:child_process';
import { webhookTable } from '@shared/contract/webhook-columns';
import { readLogBody, readLogHead, readLogRow } from '../inbox-log';
import { readWebhookHead } from '../read-webhook';
import { cleanEnvironment, killGroup } from '../../platform/child-processes';
import { startWithUs } from '../../platform/end-with-us';
import { withoutSecret } from './forward-head';
import type { Carrier, ForwardOutcome, OutgoingForward } from './delivery';
import { createRecord } from '@shared/own-value';
import { endSentence } from '@shared/end-sentence';
import { crowdedMessage, isCrowded } from '@shared/errors';

const CONCURRENCY = 4;
const LIMIT_MS = 60_000;
const LEFT_OPEN_MS = 1000;
/** A command may print so much in all; so much of its end is kept. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const KEPT_OUTPUT_BYTES = 4096;
/** Longest value in the environment; what is longer is cut, never refused by the system. */
const MAX_FACT_LENGTH = 8192;

export interface CommandOptions {
  /** First parts of paths that the command is not to know. */
  secretPaths(): readonly string[];
  limitMs?: number;
}

/**
 * Runs a command for each webhook: its body on standard input, its facts in the environment.
 *
 * The command is the user's own text and goes to the shell as it is; nothing of a webhook ever stands in it. Ended after
 * a minute, and after a mebibyte of output; exit code 0 means delivered.
 */
export function createCommandCarrier(
  command: string,
  { secretPaths, limitMs = LIMIT_MS }: CommandOptions,
): Carrier {
  const running = new Set<ChildProcess>();
  return {
    concurrency: CONCURRENCY,
    deliver: (webhook) => run(command, webhook, running, { secretPaths, limitMs }),
    close() {
      for (const child of running) killGroup(child);
      return Promise.resolve();
    },
  };
}

function run(
  command: string,
  webhook: OutgoingForward,
  running: Set<ChildProcess>,
  { secretPaths, limitMs }: Required<CommandOptions>,
): Promise<ForwardOutcome> {
  return new Promise((resolve) => {
    const child = startWithUs(() =>
      spawn(command, {
        shell: true,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...cleanEnvironment(process.env), ...readFacts(webhook, secretPaths()) },
        // A group of its own: whatever the shell started ends with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
      }),
    );
    running.add(child);
    let output = '';
    let outputBytes = 0;
    let stopped: string | null = null;
    const stop = (why: string): void => {
      stopped ??= why;
      killGroup(child);
    };
    const timer = setTimeout(() => stop(`It did not end within ${limitMs / 1000} s and was ended.`), limitMs);
    const take = (chunk: Buffer): void => {
      outputBytes += chunk.length;
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT_BYTES);
      if (outputBytes > MAX_OUTPUT_BYTES) stop('It printed more than 1 MiB and was ended.');
    };
    const finish = (failure: string | null): void => {
      clearTimeout(timer);
      running.delete(child);
      const reason = failure === null ? null : `The command failed. ${failure}`;
      resolve({ isDelivered: failure === null, httpStatus: null, reason, isUnreachable: false, output });
    };
    child.once('error', (error) =>
      finish(isCrowded(error) ? crowdedMessage : `It could not be started: ${endSentence(error.message)}`),
    );
    // It then has no pipes, where no more files can be opened.
    if (child.pid === undefined) return;
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    // A command that reads nothing of the body may end before all of it was written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(readLogBody(webhook.row));
    child.once('exit', (code, signal) => {
      const how = code === null ? `It was ended by ${signal}.` : `Its exit code is ${code}.`;
      const end = (): void => finish(stopped ?? (code === 0 ? null : how));
      // What it left behind may hold its output open for ever.
      const patience = setTimeout(end, LEFT_OPEN_MS);
      child.once('close', () => {
        clearTimeout(patience);
        end();
      });
    });
  });
}

/** What a command may know of a webhook, by the names of `listen --json`. */
function readFacts(
  { row, id, attempt }: OutgoingForward,
  secretPaths: readonly string[],
): Record<string, string> {
  const { row: webhook } = readLogRow(row);
  // As it came: lists show it masked, the receiver of the webhook gets it whole.
  const path = withoutSecret(readWebhookHead(readLogHead(row)).path, secretPaths);
  const known: Record<string, unknown> = { id, attempt, ...webhookTable.json(webhook), path };
  const facts = createRecord<string>();
  for (const [name, value] of Object.entries(known)) {
    if (value === null || name === 'is_read' || name === 'answered_ms') continue;
    // The system's calls end a value at a NUL; left out, it would make one reference out of two.
    const text = String(value as string | number)
      .replaceAll('\0', '\ufffd')
      .slice(0, MAX_FACT_LENGTH);
    facts[`COUNTERSIGN_${name.toUpperCase()}`] = text;
  }
  return facts;
}
