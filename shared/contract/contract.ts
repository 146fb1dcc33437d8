import type { z } from 'zod';
import type { CodesOf, ErrorCode } from '../error-codes';
import { appMethods } from './app';
import { dataMethods } from './data';
import { balanceMethods } from './balances';
import { collectionFileMethods } from './collection-files';
import { collectionMethods } from './collections';
import type { HostArea } from './define';
import { doctorMethods } from './doctor';
import { environmentMethods } from './environments';
import { exportMethods } from './exports';
import { importMethods } from './imports';
import { forwardingMethods } from './forwarding';
import { goliveMethods } from './golive';
import { inboxMethods } from './inbox';
import { journeyMethods } from './journey';
import { proxyMethods } from './proxy';
import { receiverMethods } from './receiver';
import { runningMethods } from './running';
import { sandboxMethods } from './sandbox';
import { sendingMethods } from './sending';
import { signingMethods } from './signing';
import { teamMethods } from './team';
import { updateMethods } from './updates';
import { vaultMethods } from './vault';

/** Every method that a client can call, on any host. */
export const contract = {
  ...appMethods,
  ...dataMethods,
  ...environmentMethods,
  ...vaultMethods,
  ...signingMethods,
  ...sendingMethods,
  ...inboxMethods,
  ...forwardingMethods,
  ...teamMethods,
  ...sandboxMethods,
  ...collectionMethods,
  ...importMethods,
  ...collectionFileMethods,
  ...exportMethods,
  ...balanceMethods,
  ...journeyMethods,
  ...proxyMethods,
  ...receiverMethods,
  ...goliveMethods,
  ...doctorMethods,
  ...runningMethods,
  ...updateMethods,
};

export type Contract = typeof contract;
export type MethodName = keyof Contract;
/** What a caller passes (defaults may be left out). */
export type MethodInput<M extends MethodName> = z.input<Contract[M]['input']>;
/** What a handler gets (defaults filled in). */
export type ParsedInput<M extends MethodName> = z.output<Contract[M]['input']>;
export type MethodOutput<M extends MethodName> = z.output<Contract[M]['output']>;
/** What a method may answer with: the codes that it declares, and those of every host. */
export type DeclaredCode<M extends MethodName> = CodesOf<Contract[M]['errors'][number]> | ErrorCode<HostArea>;

/** One function a method: what services provide and the router calls. */
export type Handlers = {
  [M in MethodName]: (input: ParsedInput<M>) => Promise<MethodOutput<M>> | MethodOutput<M>;
};

/** Those of one area or several. */
export type HandlersOf<Area extends string> = Pick<Handlers, Extract<MethodName, `${Area}.${string}`>>;
