import type { ZodError } from 'zod';
import { AppError, toErrorReply } from '@shared/errors';
import { parseRecord } from '@shared/json/parse-or-nothing';
import type { OutgoingAnswer } from '../../platform/http1/write-answer';
import { readOrigin } from '../http/service-headers';
import { JSON_TYPE } from '../http/answers';
import type { AnswerRoute } from '../http/http-adapter';
import type { SandboxControls } from './sandbox-controls';
import { toCamelCase, toSnakeCase } from './sandbox-views';
import { isSameSecret } from '../tokens/issue-token';
import { noFaults } from '../sandbox-options';
import type { Tenants } from '../tenants/open-tenants';
import type { FinalState } from '../store/payment-store';

interface AdminRequest {
  /** The first part of the path that a name stands for; all of them. */
  readonly parameter: string;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
  readonly isOperator: boolean;
}

interface AdminRoute {
  readonly method: string;
  /** Below `/_sandbox/`; `{name}` stands for one part of the path. */
  readonly address: string;
  /** Not for a tenant, whose token reaches its own things alone. */
  readonly isForOperator?: true;
  /** What it gives is JSON already. */
  readonly isWritten?: true;
  run(controls: SandboxControls, request: AdminRequest, tenants: Tenants): unknown;
}

/** Who asks: the operator, or a tenant of theirs. */
interface Admin {
  readonly controls: SandboxControls;
  readonly isOperator: boolean;
}

const DEFAULT_LIMIT = 200;
const OPENAPI_PATH = '/_sandbox/openapi.json';

/** The admin surface. @source design 5 */
const routes: readonly AdminRoute[] = [
  {
    method: 'GET',
    address: 'state',
    run: (controls, { query }) => {
      const state = controls.readState(readLimit(query));
      // Receivers in a test take it from here; null tells that nothing is signed.
      const secret = state.settings.webhookSigning ? controls.revealWebhookSecret() : null;
      return { ...state, webhookSigningSecret: secret };
    },
  },
  {
    method: 'POST',
    address: 'reset',
    run: (controls) => {
      controls.reset();
      return { ok: true };
    },
  },
  { method: 'PUT', address: 'public-keys', run: (controls, { body }) => register(controls, body, 'replace') },
  { method: 'POST', address: 'public-keys', run: (controls, { body }) => register(controls, body, 'add') },
  {
    method: 'GET',
    address: 'public-keys',
    run: (controls) => ({ publicKeys: controls.listKeys() }),
  },
  {
    method: 'POST',
    address: 'payments/{payment_uuid}/state',
    run: (controls, { parameter, body }) =>
      controls.setPaymentState(parameter, readObject(body).state as FinalState),
  },
  {
    method: 'POST',
    address: 'wallets/{product}/{currency}',
    run: (controls, request) => changeWallet(controls, request),
  },
  {
    method: 'POST',
    address: 'clock/advance',
    run: (controls, { body }) => ({ now: controls.advanceClock(readObject(body).seconds as number) }),
  },
  {
    method: 'GET',
    address: 'deliveries',
    run: (controls, { query }) => ({ deliveries: controls.listDeliveries(readLimit(query)) }),
  },
  {
    method: 'POST',
    address: 'deliveries/{id}/redeliver',
    run: (controls, { parameter }) => controls.redeliver(parameter),
  },
  { method: 'GET', address: 'faults', run: (controls) => controls.readFaults() },
  {
    method: 'PUT',
    address: 'faults',
    run: (controls, { body }) => setFaults(controls, toCamelCase(readObject(body))),
  },
  { method: 'GET', address: 'settings', run: (controls) => controls.readSettings() },
  {
    method: 'PUT',
    address: 'settings',
    run: (controls, { body, isOperator }) =>
      updateSettings(controls, toCamelCase(readObject(body)), isOperator),
  },
  { method: 'POST', address: 'credentials', run: (controls) => controls.makeBackendCredentials() },
  { method: 'GET', address: 'requests', run: (controls, { query }) => listRequests(controls, query) },
  {
    method: 'GET',
    address: 'requests/{id}',
    run: (controls, { parameter }) => controls.readRequest(parameter),
  },
  {
    method: 'GET',
    address: 'requests/{id}/explain',
    run: (controls, { parameter }) => controls.explain(parameter),
  },
  {
    method: 'GET',
    address: 'snapshot',
    isWritten: true,
    run: (controls) => controls.writeSnapshot(),
  },
  {
    method: 'POST',
    address: 'snapshot',
    isForOperator: true,
    run: async (controls, { body }) => {
      const { readSnapshotFile } = await import('../store/snapshot-file');
      controls.loadSnapshot(readSnapshotFile(String(readObject(body).file)));
      return { ok: true };
    },
  },
  {
    method: 'GET',
    address: 'tenants',
    isForOperator: true,
    run: (_controls, _request, tenants) => ({ tenants: tenants.list() }),
  },
  {
    method: 'POST',
    address: 'tenants',
    isForOperator: true,
    run: async (_controls, { body }, tenants) => {
      const { readTenantWish } = await import('../tenants/tenant-wish');
      return tenants.create(readTenantWish(readObject(body)));
    },
  },
  {
    method: 'DELETE',
    address: 'tenants/{name}',
    isForOperator: true,
    run: async (_controls, { parameter }, tenants) => {
      await tenants.remove(parameter);
      return { ok: true };
    },
  },
  { method: 'GET', address: 'outcomes', run: (controls) => ({ outcomes: controls.listOutcomes() }) },
];

/** The addresses below `/_sandbox/`, each with its method. */
export const adminAddresses: readonly string[] = [
  'GET openapi.json',
  ...routes.map(({ method, address }) => `${method} ${address}`),
];

const matchers = routes.map((route) => ({
  route,
  path: new RegExp(`^${route.address.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

const HTTP_STATUS: Readonly<Record<string, number>> = {
  'sandbox.request_unknown': 404,
  'sandbox.delivery_unknown': 404,
  'sandbox.payment_unknown': 404,
  'sandbox.wallet_unknown': 404,
  'sandbox.payment_final': 409,
  'sandbox.tenant_exists': 409,
  'sandbox.tenant_shut': 503,
  'sandbox.tenant_unknown': 404,
  'sandbox.operator_only': 403,
  'app.internal': 500,
};

/**
 * Serves `/_sandbox/`, behind the admin token; that of a tenant reaches its own things alone.
 *
 * Names in answers are written as the interface writes its own; an `AppError` becomes an error object.
 */
export function createAdminRoutes(parts: {
  controls: SandboxControls;
  tenants: Tenants;
  adminToken: string;
  /** What the sandbox itself speaks. */
  scheme: 'http' | 'https';
}): AnswerRoute {
  return ({ id, method, path, query, headers, body, isTooLong }) => {
    if (path === OPENAPI_PATH && method === 'GET')
      return answer(id, () => describeApi(readOrigin(headers, parts.scheme)), JSON.stringify);
    let admin: Admin | null;
    try {
      admin = findAdmin(headers.authorization, parts);
    } catch (error) {
      return answer(id, () => Promise.reject(error as Error));
    }
    if (admin === null) {
      const text = 'Send the admin token of this sandbox: Authorization: Bearer <admin token>.';
      return answerError(id, 401, 'unauthorized', text);
    }
    const name = path.slice('/_sandbox/'.length);
    const matching = matchers.filter(({ path: pattern }) => pattern.test(name));
    const found = matching.find(({ route }) => route.method === method);
    if (found === undefined) {
      const text = `The sandbox has no such admin address. Below /_sandbox/ there are: ${adminAddresses.join(', ')}.`;
      return answerError(id, matching.length > 0 ? 405 : 404, 'not_found', text);
    }
    if (found.route.isForOperator && !admin.isOperator) {
      const text = 'This takes the admin token of the whole sandbox: ask who runs it.';
      return answerError(id, 403, 'sandbox.operator_only', text);
    }
    if (isTooLong) return answerError(id, 400, 'body_too_large', 'The body is larger than 1 MiB.');
    const parameters = (found.path.exec(name) ?? []).slice(1).map(decodeParameter);
    const request: AdminRequest = {
      parameter: parameters[0] ?? '',
      parameters,
      query: new URLSearchParams(query),
      body: body.toString('utf8'),
      isOperator: admin.isOperator,
    };
    const { route } = found;
    const run = (): unknown => route.run(admin.controls, request, parts.tenants);
    return route.isWritten ? answer(id, run, String) : answer(id, run);
  };
}

function findAdmin(
  authorization: string | undefined,
  { controls, tenants, adminToken }: { controls: SandboxControls; tenants: Tenants; adminToken: string },
): Admin | null {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined) return null;
  if (isSameSecret(given, adminToken)) return { controls, isOperator: true };
  const tenant = tenants.findByAdminToken(given);
  return tenant && { controls: tenant.controls, isOperator: false };
}

/** Describes the service to anyone who asks: nothing in it is a secret. Loaded when first asked for. */
async function describeApi(origin: string): Promise<unknown> {
  const { createOpenApiDocument } = await import('@shared/openapi/create-openapi-document');
  return createOpenApiDocument(origin);
}

async function answer(
  id: string,
  run: () => unknown,
  write: (value: unknown) => string = writeRenamed,
): Promise<OutgoingAnswer> {
  try {
    return writeAnswer(200, write(await run()));
  } catch (error) {
    const { code, message } = toErrorReply(error);
    const otherwise = code.startsWith('platform.') ? 500 : 400;
    return answerError(id, HTTP_STATUS[code] ?? otherwise, code, message);
  }
}

function answerError(id: string, httpStatus: number, error: string, message: string): OutgoingAnswer {
  return writeAnswer(httpStatus, JSON.stringify({ error, message, request_id: id }));
}

function writeAnswer(httpStatus: number, body: string): OutgoingAnswer {
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', 'no-store'];
  return { httpStatus, headers, body };
}

const writeRenamed = (value: unknown): string => JSON.stringify(toSnakeCase(value));

/** Takes a PEM as the body, or `{"pem"}` / `{"pems"}` in JSON. */
function register(controls: SandboxControls, body: string, mode: 'replace' | 'add'): unknown {
  const given = body.trimStart().startsWith('{') ? readObject(body) : { pem: body };
  const pems = Array.isArray(given.pems) ? given.pems : [given.pem];
  controls.registerKeys(pems.map(String), mode);
  return { publicKeys: controls.listKeys() };
}

/** Takes `{"top_up":"1000.00"}`, `{"status":"SUSPENDED"}` or `{"empty":true}`. */
async function changeWallet(controls: SandboxControls, { parameters, body }: AdminRequest): Promise<unknown> {
  const { sandboxMethods } = await import('@shared/contract/sandbox');
  const { top_up: amount, status, empty, ...rest } = readObject(body);
  const changes = [
    ...(amount === undefined ? [] : [{ kind: 'top_up', amount: String(amount) }]),
    ...(status === undefined ? [] : [{ kind: 'set_status', status }]),
    ...(empty === true ? [{ kind: 'empty' }] : []),
  ];
  if (changes.length !== 1 || Object.keys(rest).length > 0) {
    const text = 'Send one of {"top_up":"1000.00"}, {"status":"ACTIVE"} and {"empty":true}.';
    throw new AppError('sandbox.bad_request', text);
  }
  const [product, currency] = parameters;
  const checked = sandboxMethods['sandbox.changeWallet'].input.safeParse({
    product,
    currency,
    change: changes[0],
  });
  if (!checked.success) throw refuseInput(checked.error);
  return controls.changeWallet(checked.data.product, checked.data.currency, checked.data.change);
}

/** The contract's own schemas check what is set here; they are loaded when first needed. */
async function setFaults(controls: SandboxControls, given: Record<string, unknown>): Promise<unknown> {
  const { sandboxFaults } = await import('@shared/contract/sandbox');
  const checked = sandboxFaults.partial().strict().safeParse(given);
  if (!checked.success) throw refuseInput(checked.error);
  return controls.setFaults({ ...noFaults, ...checked.data });
}

async function updateSettings(
  controls: SandboxControls,
  given: Record<string, unknown>,
  isOperator: boolean,
): Promise<unknown> {
  const { sandboxSettings } = await import('@shared/contract/sandbox');
  const checked = sandboxSettings.partial().strict().safeParse(given);
  if (!checked.success) throw refuseInput(checked.error);
  if (checked.data.allowedCallbackHosts !== undefined && !isOperator) {
    const text =
      'Where webhooks may go is for the operator to say: ask who runs this sandbox for callback_hosts.';
    throw new AppError('sandbox.operator_only', text);
  }
  return controls.updateSettings(checked.data);
}

/** `?operation=payout&status_class=4xx&reference=R&text=T&limit=N`, each of them optional. */
async function listRequests(controls: SandboxControls, query: URLSearchParams): Promise<unknown> {
  const { sandboxRequestQuery } = await import('@shared/contract/sandbox');
  const given = toCamelCase(Object.fromEntries(query));
  const checked = sandboxRequestQuery.strict().safeParse({ ...given, limit: readLimit(query) });
  if (!checked.success) throw refuseInput(checked.error);
  return { ...controls.listRequests(checked.data), counts: controls.countRequests(checked.data) };
}

function refuseInput(error: ZodError): AppError {
  const text = error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
  return new AppError('sandbox.bad_request', `Not taken, and nothing was changed. ${text}`);
}

function readObject(body: string): Record<string, unknown> {
  const value = parseRecord(body);
  if (value !== null) return value;
  throw new AppError('sandbox.bad_request', 'Send a JSON object as the body.');
}

function readLimit(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, 1000) : DEFAULT_LIMIT;
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
