import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import { createTurns } from '../../platform/create-turns';
import { requireKept } from '../../platform/files/kept-folder';
import { reportFailure } from '../http/report-failure';
import { openTenancy, type Tenancy } from '../open-tenancy';
import type { SandboxContext } from '../sandbox-context';
import type { SandboxOptions } from '../sandbox-options';
import { storeName } from '../store/sandbox-store';
import type { TenantWish } from './tenant-wish';
import { digestToken, makeAdminToken, readTenantList, type TenantRecord } from './tenant-list';

/** Each has a store, a log and a clock of its own. */
export const MOST_TENANTS = 100;
const FOLDER = 'tenants';
const SWEEP_MS = 1000;
/** One that is over and could not be removed is tried again after so long. */
const AGAIN_MS = 60_000;

/** A tenant as lists show it. */
export interface TenantView extends Omit<TenantRecord, 'adminDigest'> {
  /** Why its store could not be opened at the start; null: it was. */
  readonly trouble: string | null;
}

/** What a tenant is let in with; the one time that its secrets are told. */
export interface TenantCredentials {
  readonly tenant: TenantView;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly adminToken: string;
}

/** Those who share a sandbox. Each has a payments service of its own, on a store of its own: there is nothing to leak. */
export interface Tenants {
  readonly count: number;
  /** Goes up with each that comes or goes. */
  readonly revision: number;
  list(): TenantView[];
  /** @throws {AppError} `sandbox.tenant_exists`, `sandbox.tenants_full`, `keys.*` of its public keys */
  create(wish: TenantWish): Promise<TenantCredentials>;
  /** Removes all that it has. @throws {AppError} `sandbox.tenant_unknown` */
  remove(name: string): Promise<void>;
  findByConsumerKey(consumerKey: string): Tenancy | null;
  /** @throws {AppError} `sandbox.tenant_shut` where its store could not be opened */
  findByAdminToken(adminToken: string): Tenancy | null;
  listContexts(): SandboxContext[];
  /** Begins the work of all. @param baseUrl - where the sandbox answers */
  start(baseUrl: string): void;
  close(): Promise<void>;
}

interface Tenant {
  readonly record: TenantRecord;
  /** Null: its store could not be opened. */
  readonly tenancy: Tenancy | null;
  readonly trouble: string | null;
  /** Its removal failed, and is not tried again by itself before. */
  readonly retryAt?: number;
}

/** Opens all whom the sandbox's own store names. One whose store cannot be opened is no reason to shut out the others. */
export function openTenants(own: Tenancy, options: SandboxOptions): Tenants {
  return new OpenTenants(own, options);
}

class OpenTenants implements Tenants {
  revision = 0;
  private readonly tenants = new Map<string, Tenant>();
  private readonly inTurn = createTurns();
  private baseUrl = '';
  private sweep: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(
    private readonly own: Tenancy,
    private readonly options: SandboxOptions,
  ) {
    for (const record of readTenantList(own.meta.tenants)) this.openOrLeave(record);
  }

  get count(): number {
    return this.tenants.size;
  }

  list(): TenantView[] {
    return [...this.tenants.values()].map(viewTenant);
  }

  create(wish: TenantWish): Promise<TenantCredentials> {
    return this.inTurn(() => this.createNow(wish));
  }

  remove(name: string): Promise<void> {
    return this.inTurn(async () => {
      const removed = this.tenants.get(name);
      if (removed === undefined) {
        throw new AppError('sandbox.tenant_unknown', 'The sandbox has no tenant of this name.');
      }
      this.tenants.delete(name);
      this.revision += 1;
      try {
        await removed.tenancy?.close().catch(reportFailure);
        // A disk that is full has room for the list only after this.
        this.deleteFolder(name);
        this.save();
      } catch (error) {
        const trouble = 'Its removal failed half-way. Remove it again.';
        this.tenants.set(name, { ...removed, tenancy: null, trouble, retryAt: Date.now() + AGAIN_MS });
        throw error;
      }
    });
  }

  findByConsumerKey(consumerKey: string): Tenancy | null {
    for (const tenancy of this.listOpen()) {
      const { credentials, backendCredentials } = tenancy.context;
      if (credentials.consumerKey === consumerKey || backendCredentials.consumerKey === consumerKey) {
        return tenancy;
      }
    }
    return null;
  }

  findByAdminToken(adminToken: string): Tenancy | null {
    const digest = digestToken(adminToken);
    for (const { record, tenancy } of this.tenants.values()) {
      if (record.adminDigest !== digest) continue;
      if (tenancy !== null) return tenancy;
      const text = `The store of the tenant '${record.name}' could not be opened. Ask who runs the sandbox.`;
      throw new AppError('sandbox.tenant_shut', text);
    }
    return null;
  }

  listContexts(): SandboxContext[] {
    return this.listOpen().map(({ context }) => context);
  }

  start(baseUrl: string): void {
    this.baseUrl = baseUrl;
    for (const tenancy of this.listOpen()) tenancy.start(baseUrl);
    this.removeExpired();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.sweep !== null) clearTimeout(this.sweep);
    await this.inTurn(async () => {
      await Promise.all(this.listOpen().map((tenancy) => tenancy.close()));
    });
  }

  private async createNow(wish: TenantWish): Promise<TenantCredentials> {
    const { name, ttlSeconds, callbackHosts, publicKeys } = wish;
    if (this.tenants.has(name)) {
      const text = `There is a tenant '${name}' already. Choose another name, or remove that one first.`;
      throw new AppError('sandbox.tenant_exists', text);
    }
    if (this.count >= MOST_TENANTS) {
      const text = `The sandbox has ${MOST_TENANTS} tenants, and takes no more. Remove one that nobody needs.`;
      throw new AppError('sandbox.tenants_full', text);
    }
    const now = Date.now();
    const { adminToken, adminDigest } = makeAdminToken();
    const expiresAt = ttlSeconds === null ? null : now + ttlSeconds * 1000;
    const record = { name, createdAt: now, expiresAt, callbackHosts, adminDigest };
    // What a start that was cut off may have left there is nobody's.
    this.deleteFolder(name);
    const tenancy = await this.openAndSave(record, publicKeys);
    tenancy.start(this.baseUrl);
    this.removeExpired();
    return { tenant: viewTenant({ record, trouble: null }), ...tenancy.context.credentials, adminToken };
  }

  /** Where that fails nothing of it stays: nobody was told its secrets. */
  private async openAndSave(record: TenantRecord, publicKeys: readonly string[]): Promise<Tenancy> {
    try {
      const tenancy = this.open(record, publicKeys);
      this.save();
      return tenancy;
    } catch (error) {
      const made = this.tenants.get(record.name)?.tenancy;
      this.tenants.delete(record.name);
      await made?.close().catch(reportFailure);
      this.deleteFolder(record.name);
      throw error;
    }
  }

  private listOpen(): Tenancy[] {
    return [...this.tenants.values()].flatMap(({ tenancy }) => tenancy ?? []);
  }

  /** What it has stays as it is, for the next start, until somebody removes it. */
  private openOrLeave(record: TenantRecord): void {
    try {
      const folder = this.folderOf(record.name);
      // Opened, it would begin anew under the admin token of before.
      if (folder !== undefined && !existsSync(join(folder, storeName))) {
        throw new Error(
          'It is not there: its removal failed half-way, or somebody deleted it. Remove the tenant.',
        );
      }
      this.open(record, []);
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      this.tenants.set(record.name, { record, tenancy: null, trouble });
      this.options.onTrouble?.(
        `The tenant '${record.name}' is shut out, the others are served: its store cannot be opened. ${trouble}`,
      );
    }
  }

  private open(record: TenantRecord, publicKeys: readonly string[]): Tenancy {
    const { options } = this;
    const { settings, seed } = options;
    const allowedCallbackHosts = [...(settings?.allowedCallbackHosts ?? []), ...record.callbackHosts];
    const tenancy = openTenancy({
      isExposed: options.isExposed,
      tls: options.tls,
      storeKey: options.storeKey,
      onRescued: options.onRescued,
      onDamage: options.onDamage,
      onRequest: options.onRequest,
      onAnswer: options.onAnswer,
      onAttempt: options.onAttempt,
      dataDirectory: this.folderOf(record.name),
      tenant: record.name,
      seed: seed === undefined ? undefined : `${seed} ${record.name}`,
      settings: { ...settings, allowedCallbackHosts },
      publicKeys,
    });
    this.tenants.set(record.name, { record, tenancy, trouble: null });
    return tenancy;
  }

  private save(): void {
    const { commit } = this.own.context;
    const list = [...this.tenants.values()].map(({ record }) => record);
    commit.write(() => this.own.meta.saveTenants(JSON.stringify(list)));
    commit.flush();
    this.revision += 1;
  }

  private folderOf(name: string): string | undefined {
    const { dataDirectory } = this.options;
    // By a name of ours: some names that a tenant may have are devices on Windows.
    return dataDirectory === undefined ? undefined : join(dataDirectory, FOLDER, `tenant-${name}`);
  }

  private deleteFolder(name: string): void {
    const folder = this.folderOf(name);
    if (folder === undefined) return;
    // What stands in its place is somebody else's.
    requireKept(folder);
    // Where the rest stays, the next start sees by it that this was removed.
    rmSync(join(folder, storeName), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }

  /** Removes those whose time is over, and looks again while there are any with an end. */
  private removeExpired(): void {
    if (this.sweep !== null) clearTimeout(this.sweep);
    this.sweep = null;
    if (this.isClosed) return;
    const now = Date.now();
    const ending = [...this.tenants.values()].filter(({ record }) => record.expiresAt !== null);
    for (const { record, retryAt } of ending) {
      if ((retryAt ?? record.expiresAt!) <= now) void this.remove(record.name).catch(reportFailure);
    }
    if (ending.length > 0) this.sweep = setTimeout(() => this.removeExpired(), SWEEP_MS).unref();
  }
}

function viewTenant({ record, trouble }: Pick<Tenant, 'record' | 'trouble'>): TenantView {
  const { name, createdAt, expiresAt, callbackHosts } = record;
  return { name, createdAt, expiresAt, callbackHosts, trouble };
}
