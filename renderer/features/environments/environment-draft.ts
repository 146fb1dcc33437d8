import type { MethodInput } from '@shared/contract/contract';
import type { ConnectionSecrets, EnvironmentSetup, ServiceProfile } from '@shared/contract/environment-setup';
import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';
import { paymentStates, type PaymentState } from '@shared/payments/tables/states';
import { products, type Product } from '@shared/payments/tables/products';
import { checkEnvironment, listSecretNames, readVariables, writeVariables } from './environment-fields';
import { createRecord } from '@shared/own-value';

/** Consumer key and secret as typed; null stands for 'all products'. */
export interface TypedCredentials {
  consumerKey: string;
  consumerSecret: string;
}

/** What the form of an environment is called where it keeps what was typed; null: of a new one. */
export const formOf = (environment: { id: string } | null): string => `environment/${environment?.id ?? ''}`;

/** An environment as its form has it. */
export interface EnvironmentDraft {
  name: string;
  kind: 'sandbox' | 'production';
  baseUrl: string;
  callbackUrl: string;
  variables: string;
  inClear: readonly string[];
  setup: EnvironmentSetup;
  /** A line each: `PENDING = processing`. */
  webhookStates: string;
  secrets: ConnectionSecrets;
  /** By product; the empty name is for all. */
  credentials: Readonly<Record<string, TypedCredentials>>;
  /** Key that signs; empty: none. */
  keyId: string;
  /** What the environment was called that was deleted elsewhere while this was typed for it. */
  deleted?: string;
}

/** The form of an environment; of a new one where there is none. @param follows - the listener's address, which an empty field follows */
export function toDraft(environment: Environment | null, follows: string | null): EnvironmentDraft {
  const {
    callback_url: callbackUrl = '',
    last_reference: _last,
    ...variables
  } = environment?.variables ?? {};
  const setup = environment?.setup ?? usualSetup;
  return {
    name: environment?.name ?? '',
    kind: environment?.kind === 'production' ? 'production' : 'sandbox',
    baseUrl: environment?.baseUrl ?? '',
    callbackUrl: callbackUrl === follows ? '' : callbackUrl,
    variables: writeVariables(variables),
    inClear: environment?.inClear ?? [],
    setup,
    webhookStates: writeStates(setup.profile.webhookStates),
    secrets: {},
    credentials: {},
    keyId: environment?.keyId ?? '',
  };
}

/** What is wrong with a draft, by field; nothing: it can be saved. */
export function checkDraft(
  draft: EnvironmentDraft,
  taken: readonly string[],
): Partial<Record<string, string>> {
  const { name, baseUrl } = checkEnvironment(draft, taken);
  const faults: Record<string, string | null> = {
    name,
    baseUrl,
    variables: readVariables(draft.variables).fault,
    webhookStates: readStates(draft.webhookStates).fault,
    callbackUrl: checkCallback(draft.callbackUrl.trim()),
    credentials: checkCredentials(draft),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== null)) as Partial<
    Record<string, string>
  >;
}

const faultLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  baseUrl: 'Base address',
  callbackUrl: 'Callback address',
  credentials: 'Consumer key and secret',
  webhookStates: 'More states of webhooks',
  variables: 'Values',
};

/** Names the first field that keeps a draft from being saved, and what is wrong there; null: none does. */
export function describeFaults(faults: Partial<Record<string, string>>): string | null {
  const field = Object.keys(faultLabels).find((one) => faults[one] !== undefined);
  return field === undefined ? null : `${faultLabels[field]}: ${faults[field]}`;
}

function checkCallback(text: string): string | null {
  if (text === '' || text.includes('{{')) return null;
  return /^https?:\/\//.test(text) && URL.canParse(text)
    ? null
    : 'Write the whole address, with https:// in front.';
}

function checkCredentials({ credentials }: EnvironmentDraft): string | null {
  const isHalf = Object.values(credentials).some(
    ({ consumerKey, consumerSecret }) => (consumerKey.trim() === '') !== (consumerSecret === ''),
  );
  return isHalf ? 'Enter both: the consumer key and its secret.' : null;
}

/** What `environments.save` gets; null: of a collection's environment nothing but its kind is ours. */
export function toSaveInput(
  draft: EnvironmentDraft,
  environment: Environment | null,
): MethodInput<'environments.save'> {
  const { variables } = readVariables(draft.variables);
  const callbackUrl = draft.callbackUrl.trim();
  const isShared = environment?.source === 'collection';
  const names = listSecretNames(variables);
  return {
    ...(environment && { id: environment.id }),
    name: draft.name.trim(),
    kind: draft.kind,
    baseUrl: draft.baseUrl.trim().replace(/(?<!\/)\/+$/, ''),
    variables: isShared ? {} : { ...(callbackUrl !== '' && { callback_url: callbackUrl }), ...variables },
    inClear: draft.inClear.filter((one) => names.includes(one)),
  };
}

export function toSetupInput(draft: EnvironmentDraft, id: string): MethodInput<'environments.setUp'> {
  const profile = { ...draft.setup.profile, webhookStates: readStates(draft.webhookStates).states };
  return { id, setup: { ...draft.setup, profile }, secrets: draft.secrets };
}

/** Credentials that were typed, ready to be saved. */
export function listTypedCredentials(
  draft: EnvironmentDraft,
  environment: string,
): MethodInput<'credentials.save'>[] {
  const wanted: readonly (Product | null)[] =
    draft.setup.profile.credentials === 'per_product' ? products : [null];
  return wanted.flatMap((product) => {
    const typed = draft.credentials[product ?? ''];
    if (typed === undefined || typed.consumerSecret === '') return [];
    return [
      { environment, product, consumerKey: typed.consumerKey.trim(), consumerSecret: typed.consumerSecret },
    ];
  });
}

/** `NAME = meaning`, a line each, as the form shows them. */
export function writeStates(states: ServiceProfile['webhookStates']): string {
  return Object.entries(states)
    .map(([name, state]) => `${name} = ${state}`)
    .join('\n');
}

/** Reads what {@link writeStates} wrote. */
export function readStates(text: string): { states: ServiceProfile['webhookStates']; fault: string | null } {
  const states = createRecord<PaymentState>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [name = '', meaning = '', ...more] = line.split('=').map((part) => part.trim());
    if (name !== '' && meaning === '' && more.length === 0) {
      return {
        states,
        fault: `Line ${index + 1}: say what ${name} means: “${name} = processing”, succeeded, failed or canceled.`,
      };
    }
    const state = paymentStates.find((one) => one === meaning.toLowerCase());
    if (name === '' || state === undefined || more.length > 0) {
      return {
        states,
        fault: `Line ${index + 1}: write “PENDING = processing”; it means ${paymentStates.join(', ')}.`,
      };
    }
    states[name.toUpperCase()] = state;
  }
  return { states, fault: null };
}
