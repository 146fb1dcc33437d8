import { followFileName } from '@shared/http-file/edit-http-file';
import type { AppStatus } from '@shared/contract/app';
import type { MethodInput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { Exchange, Reading } from '@shared/contract/sending';
import { useAppStatus } from '../../session/app-status';
import { usualSetup } from '@shared/contract/usual-setup';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeHandlers, type FakeTransport } from '../../transport/fake';
import { AppError } from '@shared/errors';
import { useRequestsStore } from './requests-store';

const environment: Environment = {
  id: 'local',
  name: 'local',
  label: 'Local sandbox',
  kind: 'local',
  baseUrl: 'http://127.0.0.1:4010',
  variables: { base_url: 'http://127.0.0.1:4010' },
  source: 'builtin',
  keyId: 'k1',
  hasCredentials: true,
  setup: usualSetup,
  sealedParts: [],
  session: {},
  addressChange: null,
  isActive: true,
};

const collection = { id: 'c1', name: 'Payments API', directory: '/c' };

/** A folder of files in memory with the contract's collection methods over it; other handlers may be added. */
export function startFakeBackEnd(files: Record<string, string>, handlers: FakeHandlers = {}): FakeTransport {
  const fake = createFakeTransport({ ...createCollectionHandlers(files), ...handlers });
  setTransport(fake);
  useRequestsStore.setState(
    {
      ...useRequestsStore.getInitialState(),
      collectionId: collection.id,
      collections: [{ ...collection, nodes: [], state: 'ready', error: null, orderFault: null }],
    },
    true,
  );
  useAppStatus.setState({ status: { environment } as AppStatus });
  return fake;
}

/** A file with one request that is signed, and pays. */
export const signed = `# @operation remittance
POST {{base_url}}/payments/v1/remittance
Authorization: Bearer {{token.remittance}}
X-Custom-Signature: {{signature}}

{"transaction":{"reference":"{{$uuid}}","amount":1000,"service_code":"S"},"originator":{"country":"KE"}}
`;

/** Sends what has the user's word for production, as the back end does: all that it gets is for there. */
export function refuseUnconfirmed(
  send: (input: MethodInput<'sending.send'>) => Exchange,
): (input: MethodInput<'sending.send'>) => Exchange {
  return (input) => {
    if (input.production === 'data/live') return send(input);
    const details = { environment: 'data/live', label: 'live', host: new URL(input.url).host };
    throw new AppError('sending.not_confirmed', 'Nothing was sent.', { details });
  };
}

const versionOf = (text: string): string => `v${text.length}:${text}`;

function createCollectionHandlers(files: Record<string, string>): FakeHandlers {
  const read = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new AppError('collections.unknown', `There is no file ${path}.`);
    return text;
  };
  return {
    'collections.list': () => ({
      collections: [collection],
      activeId: collection.id,
      heldBack: [],
      notes: [],
      recent: [],
    }),
    'collections.tree': () => ({
      ...collection,
      orderFault: null,
      nodes: Object.keys(files).map((path) => ({
        path,
        name: path.replace(/\.http$/, ''),
        kind: 'request' as const,
        depth: 0,
        method: 'POST',
        operation: null,
        fault: null,
        requestCount: 1,
      })),
    }),
    'collections.read': ({ path }) => ({ path, text: read(path), version: versionOf(read(path)) }),
    'collections.write': ({ path, text, version }) => {
      if (version !== null && files[path] === undefined) {
        const details = { reason: 'deleted' };
        throw new AppError('collections.conflict', 'The file is gone.', { details });
      }
      if (version !== null && version !== versionOf(read(path))) {
        throw new AppError('collections.conflict', 'The file has changed.', {
          details: { reason: 'changed' },
        });
      }
      files[path] = text;
      return { path, version: versionOf(text) };
    },
    'collections.create': ({ name, text }) => {
      files[`${name}.http`] = text ?? '';
      return { path: `${name}.http` };
    },
    'collections.rename': ({ path, name }) => {
      const text = read(path);
      files[`${name}.http`] = followFileName(text, name) ?? text;
      Reflect.deleteProperty(files, path);
      return { path: `${name}.http` };
    },
    'history.follow': () => ({}),
    'collections.delete': ({ path }) => {
      Reflect.deleteProperty(files, path);
      return { trashId: 't1' };
    },
  };
}

/** What is read from an answer that took a payment. */
export const acceptedReading: Reading = {
  outcome: 'accepted',
  title: 'Accepted for processing',
  code: '100',
  status: 'ACCEPTED',
  description: null,
  paymentUuid: null,
  paymentReference: null,
  state: null,
  fieldErrors: [],
  checkoutUrl: null,
};

/** An answer as the back end gives it, for tests. */
export function makeExchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: 'e1',
    environment: 'local',
    operation: 'remittance',
    identity: null,
    title: 'a',
    sentAt: 0,
    reference: 'R-1',
    request: {
      method: 'POST',
      url: 'http://x',
      headers: [],
      body: null,
      stringToSign: null,
      signature: null,
      keyFingerprint: null,
      spans: [],
    },
    response: null,
    timings: null,
    reading: null,
    error: null,
    ...change,
  };
}
