import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import type { EventMap, EventName } from '@shared/contract/events';
import type { Reply } from '@shared/contract/define';
import type { ErrorReply } from '@shared/errors';
import { ClientError } from './client-error';
import { createIpcTransport } from './ipc';
import type { ConnectionState, Transport } from './transport';
import { createWebTransport } from './web';

let current: Transport | null = null;

/** The desktop bridge where the preload script offers one, else the web host that served this page. */
function chooseTransport(): Transport {
  return window.countersign ? createIpcTransport(window.countersign) : createWebTransport();
}

function transport(): Transport {
  current ??= chooseTransport();
  return current;
}

/** Replaces the transport; for tests with `createFakeTransport`. */
export function setTransport(next: Transport): void {
  current = next;
}

/**
 * Calls one method of the contract.
 *
 * @throws {ClientError} with the back end's code and message; `app.unreachable` where it does not answer
 */
export async function call<M extends MethodName>(
  method: M,
  ...[input]: Record<string, never> extends MethodInput<M>
    ? [input?: MethodInput<M>]
    : [input: MethodInput<M>]
): Promise<MethodOutput<M>> {
  const reply = await transport().call(method, input ?? {});
  if (isFolderGone(reply)) awaitFolder();
  if (!reply.ok) throw new ClientError(await sayByLabel(method, reply.error));
  return reply.value as MethodOutput<M>;
}

const folderLookMs = 1000;
let isAwaitingFolder = false;
const watchers = new Set<(state: ConnectionState) => void>();

const isFolderGone = (reply: Reply<unknown>): boolean =>
  !reply.ok && reply.error.code === 'platform.folder_gone';

/** Once the data folder is there again that was away when something was asked, it is as after a lost connection. */
function awaitFolder(): void {
  if (isAwaitingFolder) return;
  isAwaitingFolder = true;
  const look = async (): Promise<void> => {
    const reply = await transport().call('settings.get', {});
    if (isFolderGone(reply)) return void setTimeout(look, folderLookMs);
    isAwaitingFolder = false;
    if (!reply.ok) return;
    for (const state of ['offline', 'online'] as const) for (const tell of [...watchers]) tell(state);
  };
  setTimeout(look, folderLookMs);
}

/** What has the labels is loaded when one is wanted. */
async function sayByLabel(method: MethodName, error: ErrorReply): Promise<ErrorReply> {
  if (error.code !== 'app.bad_input') return error;
  return import('./field-labels').then(
    ({ nameField }) => nameField(method, error),
    () => error,
  );
}

/** Listens to one event of the back end; the returned function stops it. */
export function subscribe<E extends EventName>(
  event: E,
  listener: (payload: EventMap[E]) => void,
): () => void {
  return transport().subscribe((name, payload) => {
    if (name === event) listener(payload as EventMap[E]);
  });
}

/** Follows whether the back end can be reached; tells the present state at once. */
export function watchConnection(listener: (state: ConnectionState) => void): () => void {
  // One of its own for each who asks.
  const tell = (state: ConnectionState): void => listener(state);
  watchers.add(tell);
  const stop = transport().watchConnection(tell);
  return () => {
    watchers.delete(tell);
    stop();
  };
}

/**
 * Reads anew after each time that events were lost and are heard again, or the data folder was away: nothing tells of what
 * happened meanwhile.
 *
 * Whoever follows an event reads here what it is about.
 */
export function afterReconnect(read: () => void): () => void {
  let wasOffline = false;
  return watchConnection((connection) => {
    if (connection === 'online' && wasOffline) read();
    wasOffline = connection === 'offline' || connection === 'refused';
  });
}

/** True in the desktop app, where saving a private key is offered. Components ask for this capability, not for the host. */
export function canExportPrivateKeys(): boolean {
  return window.countersign?.host === 'electron';
}

/** True where the window itself opens no page outside of the app and `app.openExternal` does. */
export function opensPagesByCall(): boolean {
  return window.countersign?.host === 'electron';
}

/** True where the system's own dialogs and file manager can be asked for (`collections.chooseFolder`, `.reveal`). */
export function hasSystemDialogs(): boolean {
  return window.countersign?.host === 'electron';
}

/** Path of a file or folder that was dropped onto the window; null where the page is not told. */
export function findDroppedPath(file: File): string | null {
  return window.countersign?.pathOf(file) || null;
}
