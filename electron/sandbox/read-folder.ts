import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UndeliveredWebhook } from '@shared/contract/journey';
import type { SandboxState } from '@shared/contract/sandbox';
import { openDatabase } from '../platform/database/database';
import { viewDelivery, viewPayment, viewWallet } from './admin/sandbox-views';
import { createWallets } from './money/wallets';
import { openRequestStore } from './requests/request-store';
import { viewRequestDetail } from './requests/view-request';
import { createPaymentStore } from './store/payment-store';
import { listMigrations, storeName } from './store/sandbox-store';
import { readOffset } from './store/snapshot';
import { WebhookStore } from './webhooks/webhook-store';

/** What a sandbox keeps in its folder, newest first. */
export type SandboxFolderState = Pick<SandboxState, 'wallets' | 'payments' | 'deliveries' | 'requests'>;

const requestsName = 'sandbox-requests.db';
/** Of one payment; more come only where its state was set by hand again and again. */
const MOST_WEBHOOKS = 20;
const everything = { operation: null, statusClass: null, reference: null, text: null };

/** Reads what the sandbox of a folder keeps, also while it runs; null: there is none. @throws {AppError} `platform.*` */
export function readSandboxFolder(directory: string, limit: number): SandboxFolderState | null {
  const kept = withStore(directory, (db) => ({
    wallets: createWallets(db).list().map(viewWallet),
    payments: createPaymentStore(db).list(limit).map(viewPayment),
    deliveries: new WebhookStore(db).list(limit).map(viewDelivery),
  }));
  if (kept === null) return null;
  return {
    ...kept,
    requests: withRequests(directory, (store) => store.list({ ...everything, limit })) ?? [],
  };
}

/** What one reference did there. */
export function readSandboxReference(directory: string, reference: string, limit: number) {
  const kept = withStore(directory, (db) => {
    const payment = createPaymentStore(db).findByReference(reference);
    return {
      payment: payment === undefined ? null : viewPayment(payment),
      deliveries: new WebhookStore(db).listOf(reference, limit).map(viewDelivery),
    };
  });
  const requests = withRequests(directory, (store) =>
    store
      .list({ ...everything, reference, limit })
      .filter((request) => request.reference === reference)
      .flatMap(({ id }) => store.find(id) ?? [])
      .map(viewRequestDetail),
  );
  return { payment: kept?.payment ?? null, deliveries: kept?.deliveries ?? [], requests: requests ?? [] };
}

/** How far the clock of a folder's sandbox is ahead of the machine's; 0: there is no sandbox. */
export function readClockOffset(directory: string): number {
  return withStore(directory, readOffset) ?? 0;
}

/** The newest webhook of a payment that was tried in vain and never arrived; undefined: there is none. */
export function readUndelivered(
  directory: string,
  reference: string,
  paymentUuids: readonly (string | null)[],
): UndeliveredWebhook | undefined {
  const kept = withStore(directory, (db) => ({
    deliveries: new WebhookStore(db).listOf(reference, MOST_WEBHOOKS),
    offsetMs: readOffset(db),
  }));
  const isOfPayment = (body: string): boolean =>
    paymentUuids.some((uuid) => uuid !== null && body.includes(`"payment_uuid":"${uuid}"`));
  for (const { state, body, callbackUrl, attempts, nextAttemptAt } of kept?.deliveries ?? []) {
    const error = attempts.at(-1)?.error ?? null;
    // One that was delivered again in vain is there all the same.
    const hasArrived = state === 'delivered' || attempts.some((one) => one.error === null);
    if (hasArrived || error === null || !isOfPayment(body)) continue;
    const nextAt = nextAttemptAt === null ? null : nextAttemptAt - kept!.offsetMs;
    return { callbackUrl, attempts: attempts.length, error, nextAttemptAt: nextAt };
  }
  return undefined;
}

function withStore<T>(directory: string, read: (db: ReturnType<typeof openDatabase>) => T): T | null {
  const file = join(directory, storeName);
  if (!existsSync(file)) return null;
  const db = openDatabase({ file, migrations: listMigrations(), pragmas: { synchronous: 'NORMAL' } });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function withRequests<T>(
  directory: string,
  read: (store: ReturnType<typeof openRequestStore>) => T,
): T | null {
  if (!existsSync(join(directory, requestsName))) return null;
  const store = openRequestStore(directory, null);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
