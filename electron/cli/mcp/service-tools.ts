import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isSecretName } from '@shared/secrets';
import { writeResult, writeSummary } from '@shared/run/reports/json-report';
import type { RequestResult } from '@shared/run/run-result';
import { products } from '@shared/payments/tables/products';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { refuseFaults } from '../../services/running/refuse-faults';
import type { EndSignal } from '../command';
import { decideExit, findFolder, readPlan, runOptionTable, type RunValues } from '../commands/run';
import { parseArguments } from '../option-table';
import { createStatusQuery, describeFound } from '../query-status';
import { identifyRequest, listNotes, prepareGiven, readFileBody, readRequestFile } from '../request-file';
import { withRunSession } from '../run/run-session';
import { describeSend, describeSent, refuseUnsendable } from '../send-file';
import { finishHalfImports } from '../session';
import {
  refuseProduction,
  requireEnvironment,
  requireSending,
  requireTestAddress,
  type Agent,
  type ToolCall,
} from './agent';
import { defineTool } from './define-tool';
import { findRequestPath } from './request-path';

const path = z.string().min(1).max(4000);
const nothingGiven = { var: [], 'callback-url': undefined };

/** Tools that talk to the service; those that make payments are refused unless the server may send. */
export const serviceTools = [
  defineTool({
    name: 'payment_status',
    description: 'Asks the service for the state of a payment by its reference. Makes no payment.',
    input: z.strictObject({
      reference: z.string().min(1).max(500),
      product: z
        .enum(products)
        .optional()
        .describe('Asks with the token of this product alone; else with each'),
    }),
    async run(agent, { reference, product }) {
      const environment = await requireEnvironment(agent);
      const session = { environment, call: agent.services.router.call };
      const query = createStatusQuery(session, product, { by: 'transaction_reference', value: reference });
      return describeFound(await query());
    },
  }),
  defineTool({
    name: 'send_request',
    description: 'Signs and sends a request file (.http). Needs a server that was started with --allow-send.',
    input: z.strictObject({ file: path.describe('Path of the file') }),
    sends: true,
    run: (agent, { file }) => sendRequest(agent, file),
  }),
  defineTool({
    name: 'run_collection',
    description:
      'Sends the requests of a folder or file in order and judges their expectations. Needs a server that was started with --allow-send.',
    input: z.strictObject({ path: path.describe('Folder or file of requests') }),
    sends: true,
    run: (agent, input, call) => runCollection(agent, input.path, call),
  }),
];

/** How a variable gets its value where no option can give it: an agent has none. */
const agentAdvice = {
  adviseOn: (name: string): string =>
    isSecretName(name)
      ? 'the person gives it to an environment of theirs in the app, where the vault seals it'
      : `set it in the environment, or in the file (@${name} = …)`,
};

/** Finds what is named once an import that was killed half-way is at its end: it may be among what was not written yet. */
async function findImported(agent: Agent, path: string, takes: { takesFolder: boolean }): Promise<string> {
  const { base, context } = agent;
  await finishHalfImports(context, findFolder(resolve(base, path)));
  return findRequestPath(path, { base, ...takes });
}

async function sendRequest(agent: Agent, file: string): Promise<Record<string, unknown>> {
  requireSending(agent);
  const environment = await requireEnvironment(agent);
  const real = await findImported(agent, file, { takesFolder: false });
  const { block, folder, place, scripted } = await readRequestFile(agent.context, real, null);
  const sources = { now: () => systemClock.now(), random: systemRandom };
  const values = { ...nothingGiven, 'base-url': agent.baseUrl };
  const prepared = prepareGiven(block, values, environment, sources);
  await refuseUnsendable(prepared, scripted, {
    findMissingSetUp: async () =>
      (await agent.services.running()).findMissingSetUp(environment.id, [prepared]),
    advice: agentAdvice,
  });
  await requireTestAddress(agent, prepared.url);
  const request = { prepared, fileBody: await readFileBody(prepared, folder), environment, allowHosts: [] };
  const { call } = agent.services.router;
  const { collections } = await call('collections.list', {});
  const identity = identifyRequest(place, collections);
  const exchange = await call('sending.send', { ...describeSend(request, environment, file), identity });
  return { ...describeSent(exchange), notes: listNotes(prepared) };
}

async function runCollection(
  agent: Agent,
  given: string,
  { signal }: ToolCall,
): Promise<Record<string, unknown>> {
  requireSending(agent);
  await requireEnvironment(agent);
  const real = await findImported(agent, given, { takesFolder: true });
  const { values } = parseArguments(agent.serviceArguments, runOptionTable, []);
  const { plan, faults } = await readPlan([real], values as RunValues);
  refuseFaults(faults);
  const context = { ...agent.context, isJson: true, waitForEnd: () => untilAborted(signal) };
  const call = {
    context,
    values: values as RunValues,
    plan,
    folder: plan.requests.length > 0 ? real : dirname(real),
    vet: refuseProduction,
    advice: agentAdvice,
  };
  return withRunSession(call, async (session) => {
    refuseFaults(await session.findMissing(), await session.findMissingSetUp());
    const results: RequestResult[] = [];
    const summary = await session.run({
      started: () => undefined,
      ending: () => undefined,
      result: (one) => void results.push(one),
    });
    const { event: _event, ...counts } = writeSummary(summary, decideExit(summary));
    return { ...counts, requests: results.map(showResult) };
  });
}

/** What passed is told in brief. */
function showResult(result: RequestResult): Record<string, unknown> {
  const { event: _event, request, response, webhooks, ...told } = writeResult(result);
  return result.outcome === 'passed' ? told : { ...told, request, response, webhooks };
}

function untilAborted(signal: AbortSignal): Promise<EndSignal> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('SIGINT'), { once: true }));
}
