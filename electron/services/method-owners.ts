import type { MethodName } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import type { Capabilities, CapabilityName } from './capabilities';

/** First words of methods: `inbox` of `inbox.list`. */
type MethodGroup = MethodName extends `${infer G}.${string}` ? G : never;

/** Capabilities that answer calls. */
type Answering = {
  [N in CapabilityName]: Capabilities[N] extends { handlers: object } ? N : never;
}[CapabilityName];

/** Which capability answers the methods of a group. A group without one, or one that has no handlers, does not compile. */
const owners: Readonly<Record<MethodGroup, Answering>> = {
  app: 'app',
  balances: 'balances',
  collections: 'collections',
  credentials: 'vault',
  data: 'data',
  doctor: 'doctor',
  environments: 'environments',
  forwarding: 'inbox',
  golive: 'lens',
  history: 'history',
  imports: 'imports',
  inbox: 'inbox',
  journey: 'journey',
  keys: 'vault',
  listener: 'inbox',
  lookups: 'lookups',
  proxy: 'lens',
  receiver: 'lens',
  running: 'running',
  sandbox: 'sandbox',
  sending: 'sending',
  settings: 'settings',
  signing: 'signing',
  team: 'team',
  tokens: 'tokens',
  tunnel: 'inbox',
  updates: 'updates',
  vault: 'vault',
  webhooks: 'lookups',
};

/**
 * Refuses a capability that defines a method of another's group, as a whole and as soon as it is made: of two handlers
 * for one name, neither may win in silence.
 *
 * @throws {AppError} `app.internal` naming the method and who owns it
 */
export function requireOwn(name: string, handlers: object): void {
  for (const method of Object.keys(handlers)) {
    const owner = findOwner(method);
    if (owner === name) continue;
    throw new AppError(
      'app.internal',
      `'${name}' defines ${method}, which belongs to '${owner ?? 'nobody'}'. One method has one owner.`,
    );
  }
}

/** The capability that answers a method; undefined where nobody does. */
export function findOwner(method: string): Answering | undefined {
  const group = method.slice(0, method.indexOf('.'));
  return Object.hasOwn(owners, group) ? owners[group as MethodGroup] : undefined;
}
