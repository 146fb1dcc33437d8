import { z } from 'zod';
import { AppError } from '@shared/errors';
import { toSnakeCase } from '../../sandbox/admin/sandbox-views';
import { readSandboxFolder } from '../../sandbox/read-folder';
import { isLoopback } from '../../services/running/run-facts';
import { judgeFolder, settleRequestLog } from '../../lens/golive/read-evidence';
import { callAdmin } from '../call-admin';
import { requireDirectory, requireEnvironment, type Agent } from './agent';
import { computeInTurn } from './compute-in-turn';
import { defineTool } from './define-tool';
import { showTimes } from './show-times';

const MOST_ROWS = 100;

/** Tools about the sandbox, and about what a backend did in it. */
export const sandboxTools = [
  defineTool({
    name: 'sandbox_state',
    description:
      'Gives the wallets of the sandbox, and its latest payments, webhooks and requests, refusals with their check.',
    input: z.strictObject({}),
    async run(agent) {
      const state = (await askRunning(agent)) ?? (await readKept(agent));
      // It signs the webhooks: who may see it takes it from the sandbox itself.
      const { webhook_signing_secret: _secret, ...shown } = showTimes(toSnakeCase(state)) as Record<
        string,
        unknown
      >;
      return shown;
    },
  }),
  defineTool({
    name: 'golive_report',
    description:
      'Judges by the rules of the interface what a backend did in the sandbox or through the proxy of this folder: held, broken or not seen, with evidence.',
    input: z.strictObject({}),
    async run(agent) {
      const directory = requireDirectory(agent);
      await settleRequestLog(directory);
      const { rules, isCut } = await computeInTurn(async () =>
        judgeFolder(directory, 0, await agent.services.listOwnCalls()),
      );
      return { rules, evidence_cut: isCut };
    },
  }),
];

/**
 * With its admin token the sandbox itself is asked, one in memory included: on this machine, or at the address that was given with
 * it. An environment of the app may be anybody's test service, which is not to have the token.
 */
async function askRunning(agent: Agent): Promise<unknown> {
  const token = agent.context.environment['COUNTERSIGN_ADMIN_TOKEN'];
  if (token === undefined || token === '') return null;
  const { baseUrl } = await requireEnvironment(agent);
  if (agent.baseUrl === undefined && !isLoopback(baseUrl)) return null;
  return callAdmin({ baseUrl, token }, 'GET', `state?limit=${MOST_ROWS}`);
}

async function readKept(agent: Agent): Promise<object> {
  const directory = requireDirectory(agent);
  await settleRequestLog(directory);
  const kept = await computeInTurn(() => readSandboxFolder(directory, MOST_ROWS));
  if (kept !== null) return kept;
  throw new AppError(
    'mcp.nothing_found',
    `No sandbox keeps its state in ${directory}. Start the app or countersign sandbox --data DIR on this folder, or give COUNTERSIGN_ADMIN_TOKEN and --base-url of a running one.`,
  );
}
