import { closeSync, openSync } from 'node:fs';
import { isIP, type AddressInfo, type Server } from 'node:net';
import { devNull, networkInterfaces } from 'node:os';
import { AppError, isCrowded } from '@shared/errors';
import { describeWriteFault } from '../files/write-faults';
import type { SettingsStore } from '../ports';

/** Where servers listen that nobody opens to the network. */
export const LOOPBACK = '127.0.0.1';
const BACKLOG = 1024;
const LARGEST_PORT = 65_535;
/** So many ports after the usual one are tried where nobody named one. */
export const PORTS_TRIED = 20;

/** A port, and how many after it will do where it is taken; 0: none but this one. */
export interface PortChoice {
  port: number;
  alternatives: number;
}

/** A port on an address of this machine; left out: on loopback. */
export interface ListenChoice extends PortChoice {
  host?: string | undefined;
}

/** What listens; its error codes begin with it. */
type ListeningArea = 'listener' | 'proxy' | 'sandbox' | 'web';

/**
 * Opens a server on the loopback interface, and on no other that was not named.
 *
 * @param area - begins the error's code
 * @param choice - port 0: any free one
 * @returns the port that it got
 * @throws {AppError} `<area>.port_in_use`, `<area>.port_refused`
 */
export async function listenOn(
  server: Server,
  area: ListeningArea,
  { port, alternatives, host = LOOPBACK }: ListenChoice,
): Promise<number> {
  for (let candidate = port; ; candidate++) {
    const failure = await tryPort(server, host, candidate);
    if (failure === null) return (server.address() as AddressInfo).port;
    const isLast = candidate >= Math.min(port + alternatives, LARGEST_PORT);
    if (failure.code === 'EADDRINUSE' && !isLast) continue;
    // Where any port will do, one is always to be had.
    const isAnyRight = failure.code === 'EADDRINUSE' && alternatives > 0;
    if (isAnyRight && (await tryPort(server, host, 0)) === null)
      return (server.address() as AddressInfo).port;
    throw describeFailure(area, host, candidate, failure);
  }
}

function tryPort(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      server.off('listening', take);
      resolve(error);
    };
    const take = (): void => {
      server.off('error', refuse);
      const crowding = findCrowding();
      if (crowding !== null) {
        server.close(() => resolve(crowding));
        return;
      }
      // A failed accept (too many open files) must not end the process; the client sees a closed connection.
      server.on('error', () => undefined);
      resolve(null);
    };
    server.once('error', refuse);
    server.once('listening', take);
    server.listen({ host, port, backlog: BACKLOG });
  });
}

/** A server that opens nothing more takes no connection, and nothing tells it: the system closes each. */
function findCrowding(): NodeJS.ErrnoException | null {
  try {
    closeSync(openSync(devNull, 'r'));
    return null;
  } catch (error) {
    return isCrowded(error) ? (error as NodeJS.ErrnoException) : null;
  }
}

function describeFailure(
  area: ListeningArea,
  host: string,
  port: number,
  error: NodeJS.ErrnoException,
): AppError {
  const reason = error.code ?? error.message;
  if (reason === 'EMFILE' || reason === 'ENFILE') {
    const { why, what } = describeWriteFault(reason);
    const which = port === 0 ? 'No port can' : `Port ${port} cannot`;
    const text = `${which} be opened: ${why}. ${what}, and start again.`;
    return new AppError(`${area}.port_refused`, text, { details: { port, reason }, cause: error });
  }
  if (error.code === 'EADDRNOTAVAIL') {
    const text = `This machine has no address ${host}. Name one that it has, or 0.0.0.0 for all of them.`;
    return new AppError(`${area}.port_refused`, text, { details: { host, port, reason }, cause: error });
  }
  return error.code === 'EADDRINUSE'
    ? new AppError(
        `${area}.port_in_use`,
        `Port ${port} is used by another program. Choose another port, or stop that program.`,
        { details: { port }, cause: error },
      )
    : new AppError(
        `${area}.port_refused`,
        `Port ${port} cannot be opened (${reason}). Choose a port from 1024 to ${LARGEST_PORT}.`,
        { details: { port, reason }, cause: error },
      );
}

/** Writes the address at which this machine itself reaches what listens there. */
export function writeLocalUrl(host: string | undefined, port: number, isTls: boolean): string {
  const own = host === undefined || host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return `${isTls ? 'https' : 'http'}://${isIP(own) === 6 ? `[${own}]` : own}:${port}`;
}

/** Writes where others reach a server that listens on every address of this machine; none: on one address alone, or it has no other. */
export function listNetworkUrls(host: string | undefined, port: number, isTls: boolean): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(
      ({ internal, family, scopeid }) => !internal && (family === 'IPv4' || (host === '::' && !scopeid)),
    )
    .map(({ address }) => writeLocalUrl(address, port, isTls));
}

/** The port of one server over restarts: where an integration already looks for it, it stays. */
export interface RememberedPort {
  /** The port given, and no other; else the one of last time, or the usual one, or one soon after it. */
  choose(given: number | undefined): PortChoice;
  /** Keeps the port that the server got. @returns what to tell the user: null where it is the one chosen */
  keep(chosen: PortChoice, got: number): string | null;
}

/** @param key - of the setting that holds the port */
export function rememberPort(settings: SettingsStore, key: string, usual: number): RememberedPort {
  return {
    choose: (given) =>
      given === undefined
        ? { port: readPort(settings.get(key)) ?? usual, alternatives: PORTS_TRIED }
        : { port: given, alternatives: 0 },
    keep: ({ port }, got) => {
      try {
        if (settings.get(key) !== got) settings.set(key, got);
      } catch (error) {
        // It runs all the same.
        if (!(error instanceof AppError)) throw error;
        return `It listens on port ${got}, which is not remembered: ${error.message}`;
      }
      return port === got || port === 0
        ? null
        : `Port ${port} is used by another program: it is ${got} from now on.`;
    },
  };
}

function readPort(stored: unknown): number | null {
  const isPort = Number.isInteger(stored) && Number(stored) > 0 && Number(stored) <= LARGEST_PORT;
  return isPort ? Number(stored) : null;
}
