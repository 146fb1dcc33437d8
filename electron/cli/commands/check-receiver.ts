import { maskSecrets } from '@shared/mask-secrets';
import { toPlainLine } from '@shared/plain-text';
import { holdsUserInfo, parseWebUrl } from '@shared/payments/text-formats';
import {
  receiverScenarioNames,
  receiverScenarios,
  summarizeResults,
  type ReceiverScenario,
  type ScenarioResult,
} from '@shared/receiver-check/receiver-scenarios';
import { createHttpClient } from '../../platform/http/http-client';
import { checkReceiver } from '../../lens/receiver-check/check-receiver';
import { signedScenarios } from '../../lens/receiver-check/play-scenarios';
import { ReceiverState } from '../../lens/receiver-check/receiver-state';
import type { StageOptions } from '../../lens/receiver-check/stage';
import { retrySchedules } from '../../sandbox/webhooks/webhook-schedules';
import { defineCommand, type CommandContext } from '../command';
import { serviceOptions } from '../session';
import { usageError } from '../usage-error';

const options = {
  scenario: {
    placeholder: 'NAME',
    help: 'Play this one; all where left out',
    isList: true,
    choices: receiverScenarioNames,
  },
  secret: { placeholder: 'whsec_…', help: 'Sign the webhooks (Standard Webhooks)' },
  'state-url': {
    placeholder: 'URL',
    help: "The receiver's own count or state, any JSON: shows effects that happen twice",
  },
  'timeout-ms': { ...serviceOptions['timeout-ms'], fallback: 15_000 },
  reporter: { placeholder: 'NAME', help: 'One report on stdout', choices: ['junit', 'html'] },
} as const;

function readUrl(flag: string, text: string): URL {
  const url = parseWebUrl(text);
  if (url !== null && holdsUserInfo(url)) {
    // Not repeated: it may hold a password.
    throw usageError(`${flag} takes an address without user name and password. Take them out.`);
  }
  if (url !== null) return url;
  throw usageError(
    `${flag} takes an absolute http:// or https:// address, not '${maskSecrets(text).slice(0, 80)}'.`,
  );
}

function chooseScenarios(given: readonly string[], secret: string | null): ReceiverScenario[] {
  for (const name of given) {
    if (secret === null && signedScenarios.has(name as ReceiverScenario)) {
      throw usageError(`--scenario ${name} needs --secret: without it webhooks are not signed.`);
    }
  }
  return receiverScenarioNames.filter((name) => given.length === 0 || given.includes(name));
}

async function readSecret(context: CommandContext, given: string | undefined): Promise<string | null> {
  const secret = given ?? (context.environment['COUNTERSIGN_WEBHOOK_SECRET'] || null);
  if (secret === null) return null;
  const { checkSigningSecret } = await import('../../platform/crypto/standard-webhooks');
  checkSigningSecret(secret);
  return secret;
}

function print(context: CommandContext, result: ScenarioResult): void {
  const { scenario, verdict, reason, elapsedMs, isSkipped, isAnswerOnly } = result;
  if (context.isJson) {
    context.printJson({
      scenario,
      verdict,
      reason,
      elapsed_ms: elapsedMs,
      skipped: isSkipped,
      answer_only: isAnswerOnly,
    });
    return;
  }
  const sign = isSkipped ? '-' : isAnswerOnly ? '~' : verdict === 'pass' ? '✓' : '✗';
  const time = String(Math.round(elapsedMs)).padStart(6);
  context.print(toPlainLine(`${sign} ${scenario.padEnd(20)} ${time} ms  ${reason}`));
}

async function report(
  context: CommandContext,
  name: string,
  url: URL,
  results: readonly ScenarioResult[],
): Promise<void> {
  const { writeReceiverHtml, writeReceiverJunit } = await import('@shared/receiver-check/write-reports');
  context.print(
    (name === 'junit' ? writeReceiverJunit : writeReceiverHtml)(url.origin + url.pathname, results),
  );
}

export const command = defineCommand({
  usage:
    'check-receiver URL [--scenario NAME]… [--secret whsec_…] [--state-url URL] [--json | --reporter junit|html]',
  summary:
    "Play the service's real behaviour against your webhook receiver, and say of each scenario what it did.",
  notes: [
    'Scenarios:',
    ...Object.entries(receiverScenarios).map(([name, what]) => `  ${name.padEnd(20)}  ${what}`),
    'The secret may come from COUNTERSIGN_WEBHOOK_SECRET instead. The payments are made up: use a receiver that is not in production.',
    'Without --state-url the answers alone are judged (~): what the webhooks did is not seen.',
    'The state is read by GET before and after; it counts once it has not changed for half a second, longer where a first webhook takes effect later.',
    'Exit code 1: a scenario failed; 3: nobody is there.',
  ],
  options,
  positionals: [{ name: 'URL', isRequired: true, help: 'Address of your webhook receiver' }],
  async run(context, values, [address = '']) {
    const url = readUrl('URL', address);
    const timeoutMs = values['timeout-ms'];
    const secret = await readSecret(context, values.secret);
    const scenarios = chooseScenarios(values.scenario, secret);
    const stateUrl = values['state-url'] === undefined ? null : readUrl('--state-url', values['state-url']);
    if (context.isJson && values.reporter !== undefined)
      throw usageError('--json and --reporter exclude each other.');
    const http = createHttpClient();
    const stage: StageOptions = {
      url,
      secret,
      state: stateUrl === null ? null : new ReceiverState(stateUrl.href, http, timeoutMs),
      timeoutMs,
      retryWaitsMs: retrySchedules.fast,
    };
    const results: ScenarioResult[] = [];
    for await (const result of checkReceiver(scenarios, stage)) {
      results.push(result);
      if (values.reporter === undefined) print(context, result);
    }
    if (values.reporter === undefined && !context.isJson) context.print(`${summarizeResults(results)}.`);
    if (values.reporter !== undefined) await report(context, values.reporter, url, results);
    return results.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
  },
});
