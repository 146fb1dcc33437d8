import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import type { Clock, Logger, Random, SecretBox } from '../../platform/ports';
import { withProcessLock } from '../../platform/files/process-lock';
import { errorsOf } from '../errors-of';
import { KEY_FILE_WARNING } from './key-file-box';
import { chooseBox, locked, openMaster, sealMaster, type BoxKind, type BoxSources } from './master-key';
import { createPassphraseBox, wrongPassphrase } from './passphrase-box';
import { editDocument, VAULT_VERSION, writeEmptyDocument, type DocumentRecord } from './vault-document';
import {
  applyChanges,
  backUpVaultFile,
  identifyRecords,
  migrateDocument,
  readVaultFile,
  writeVaultFile,
  type StoreChange,
  type StoredRecord,
  type VaultFile,
} from './vault-file';
import { openRecord, type MasterKey } from './vault-records';

const VaultError = errorsOf<'vault'>();

export interface VaultStoreDeps {
  /** Null: an empty vault, into which nothing can be put. */
  dataDirectory: string | null;
  clock: Clock;
  random: Random;
  logger: Logger;
  osKeychain: SecretBox | null;
  /** For headless unlocking (`COUNTERSIGN_PASSPHRASE`); null: none given. */
  passphrase: string | null;
  /** 0: never. */
  autoLockMinutes(): number;
  /** What a vault of version 1 meant by the name of an environment. */
  identifyEnvironment(name: string): string;
  onChange(): void;
}

export interface StoreStatus {
  state: 'unlocked' | 'locked' | 'unreadable';
  box: BoxKind;
  message: string | null;
}

/**
 * Keeps `vault.json`: who may open it, its records, and every write to it.
 *
 * Writes take a lock that all processes honour, read the file anew, splice the change in and replace the file
 * durably. What cannot be read or opened is never touched.
 */
export class VaultStore {
  readonly #deps: VaultStoreDeps;
  readonly #path: string | null;
  readonly #sources: BoxSources;
  #master: MasterKey | null = null;
  #file: VaultFile | null = null;
  /** Why the last try to open failed, and for which file: not tried again until something changes. */
  #refusal: { signature: string | null; error: AppError } | null = null;
  #isHeldLocked = false;
  #lastUse: number;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(deps: VaultStoreDeps) {
    this.#deps = deps;
    this.#path = deps.dataDirectory === null ? null : join(deps.dataDirectory, 'vault.json');
    this.#sources = {
      osKeychain: deps.osKeychain,
      passphrase: deps.passphrase,
      keyFile: join(deps.dataDirectory ?? '', 'vault.key'),
      random: deps.random,
    };
    this.#lastUse = deps.clock.monotonicMs();
  }

  /** Tells how the vault stands, opening it where no one has to be asked. */
  async status(): Promise<StoreStatus> {
    const { fault, document, records } = await this.#openUpToDate();
    const box = (document?.master.box ?? chooseBox(this.#sources).kind) as BoxKind;
    if (fault !== null) return { state: 'unreadable', box, message: fault.message };
    if (document !== null && this.#master === null) {
      return {
        state: 'locked',
        box: KNOWN_BOXES.has(box) ? box : 'memory',
        message: this.#lockReason(),
      };
    }
    const lockedCount = records.filter(({ isLocked }) => isLocked).length + (document?.unreadableCount ?? 0);
    const remarks = [
      box === 'key_file' ? KEY_FILE_WARNING : (this.#deps.osKeychain?.warning ?? null),
      lockedCount === 0
        ? null
        : `${lockedCount} of the vault's entries cannot be opened; they are kept as they are.`,
    ].filter((remark) => remark !== null);
    return { state: 'unlocked', box, message: remarks.length === 0 ? null : remarks.join(' ') };
  }

  /** Lists the records of a kind. A locked vault still lists what it has. @throws {AppError} `vault.unreadable` */
  async list(kind: string): Promise<StoredRecord[]> {
    const { fault, records } = await this.#openUpToDate();
    if (fault !== null) throw fault;
    return records.filter((record) => record.kind === kind);
  }

  /** Opens the secret of a record. @throws {AppError} `vault.locked`, `vault.damaged`, `vault.wrong_key`, `vault.unreadable` */
  async open(record: DocumentRecord): Promise<Buffer> {
    await this.#openUpToDate();
    const { master } = await this.#requireOpen();
    return openRecord(master, record);
  }

  /** Fails where a use of a secret would; a vault that does not exist yet is open. */
  async requireUnlocked(): Promise<void> {
    if (this.#load().signature !== null) await this.#requireOpen();
  }

  /**
   * Changes the file. `plan` sees the records as they are on disk at that moment, after every other writer.
   *
   * @throws {AppError} `vault.locked`, `vault.unreadable`, `platform.unwritable`, `platform.busy`
   */
  edit<T>(
    plan: (records: readonly StoredRecord[]) => { changes: readonly StoreChange[]; result: T },
  ): Promise<T> {
    return this.#withWriter(async () => {
      await this.#createIfMissing();
      await this.#requireOpen();
      this.#bringUpToDate();
      const { file, master } = await this.#requireOpen();
      const { changes, result } = plan(file.records);
      if (changes.length > 0)
        this.#write(applyChanges(file.document!.text, changes, master, this.#deps.random));
      return result;
    });
  }

  /** Opens the vault with its passphrase, or again after a lock. @throws {AppError} `vault.wrong_passphrase`, `vault.damaged`, `vault.wrong_key` */
  async unlock(passphrase: string): Promise<void> {
    const { fault, document } = this.#load();
    if (fault !== null) throw fault;
    if (document !== null) this.#adopt(await openMaster(document.master, { ...this.#sources, passphrase }));
    this.#deps.onChange();
  }

  /** Forgets the master key until someone unlocks. */
  lock(): void {
    if (this.#load().signature === null) return;
    this.#forgetMaster();
    this.#isHeldLocked = true;
    this.#deps.onChange();
  }

  /** Locks when nothing was used for as long as the settings allow. */
  lockWhenIdle(): void {
    const minutes = this.#deps.autoLockMinutes();
    if (this.#master === null || minutes === 0) return;
    if (this.#deps.clock.monotonicMs() - this.#lastUse >= minutes * 60_000) this.lock();
  }

  /**
   * Seals the master key with a passphrase from now on; records stay as they are. A key file is removed.
   *
   * @param current - needed where a passphrase seals it already
   * @throws {AppError} `vault.wrong_passphrase`, `vault.locked`, `vault.unreadable`
   */
  setPassphrase(current: string | null, next: string): Promise<void> {
    return this.#withWriter(async () => {
      await this.#createIfMissing();
      const { document } = this.#load();
      if (document?.master.box === 'passphrase') {
        if (current === null) throw wrongPassphrase();
        this.#adopt(await openMaster(document.master, { ...this.#sources, passphrase: current }));
      }
      const { file, master } = await this.#requireOpen();
      const { sealed } = await sealMaster(
        master,
        createPassphraseBox(next, this.#deps.random),
        this.#deps.random,
      );
      this.#write(editDocument(file.document!.text, { kind: 'replaceMaster', master: sealed }));
      rmSync(this.#sources.keyFile, { force: true });
    });
  }

  #load(): VaultFile {
    const before = this.#file;
    const file = readVaultFile(this.#path, before);
    if (file === before) return file;
    identifyRecords(file, this.#deps.identifyEnvironment);
    this.#file = file;
    // Another vault took this one's place: what was unlocked is not for it.
    if (this.#master !== null && file.document?.master.key_id !== this.#master.id) this.#forgetMaster();
    markRecords(file, this.#master);
    if (before !== null) this.#deps.onChange();
    return file;
  }

  #adopt(master: MasterKey): void {
    this.#master = master;
    this.#isHeldLocked = false;
    this.#refusal = null;
    this.#lastUse = this.#deps.clock.monotonicMs();
    if (this.#file !== null) markRecords(this.#file, master);
  }

  #forgetMaster(): void {
    this.#master?.key.fill(0);
    this.#master = null;
    if (this.#file !== null) markRecords(this.#file, null);
  }

  /** Opens the vault without asking, where that is possible and was not undone by a lock. */
  async #tryOpen(): Promise<VaultFile> {
    this.lockWhenIdle();
    const file = this.#load();
    if (file.document === null || this.#master !== null || this.#isHeldLocked) return file;
    if (this.#refusal !== null && this.#refusal.signature === file.signature) return file;
    try {
      this.#adopt(await openMaster(file.document.master, this.#sources));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#refusal = { signature: file.signature, error };
      this.#deps.logger.log('warn', 'vault.not_opened', { code: error.code });
    }
    return this.#load();
  }

  async #requireOpen(): Promise<{ file: VaultFile; master: MasterKey }> {
    const file = await this.#tryOpen();
    if (file.fault !== null) throw file.fault;
    if (this.#master === null) throw this.#describeLock();
    this.#lastUse = this.#deps.clock.monotonicMs();
    return { file, master: this.#master };
  }

  /** Opens the vault as {@link #tryOpen}; one of an earlier version is rewritten as soon as it is open. */
  async #openUpToDate(): Promise<VaultFile> {
    const file = await this.#tryOpen();
    if (this.#master === null || !isFormer(file)) return file;
    await this.#withWriter(() => Promise.resolve(this.#bringUpToDate()));
    return this.#load();
  }

  #bringUpToDate(): void {
    const file = this.#load();
    const master = this.#master;
    if (master === null || file.document === null || !isFormer(file)) return;
    backUpVaultFile(join(this.#requireDirectory(), 'vault.json'), VAULT_VERSION);
    this.#write(migrateDocument(file.document.text, file.records, master, this.#deps.random));
  }

  /** Why it could not be opened without being asked; null where it was locked or not tried. */
  #lockReason(): string | null {
    return this.#isHeldLocked ? null : (this.#refusal?.error.message ?? null);
  }

  #describeLock(): AppError {
    return locked(this.#lockReason() ?? 'The vault is locked. Unlock it in Keys and tokens and try again.');
  }

  async #createIfMissing(): Promise<void> {
    const { signature, fault } = this.#load();
    if (signature !== null || fault !== null) return;
    const { key, sealed } = await sealMaster(null, chooseBox(this.#sources), this.#deps.random);
    this.#adopt(key);
    this.#write(writeEmptyDocument(sealed));
  }

  #write(text: string): void {
    writeVaultFile(join(this.#requireDirectory(), 'vault.json'), text);
    this.#load();
  }

  #requireDirectory(): string {
    if (this.#deps.dataDirectory !== null) return this.#deps.dataDirectory;
    throw new VaultError(
      'platform.unwritable',
      'This run has no data directory, so nothing can be kept: name one with --data.',
    );
  }

  /** Runs one writer at a time: in this process by the queue, among processes by the lock. */
  #withWriter<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => withProcessLock(join(this.#requireDirectory(), 'vault.lock'), run));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function isFormer({ document }: VaultFile): boolean {
  return document !== null && document.version !== VAULT_VERSION;
}

const KNOWN_BOXES = new Set<BoxKind>(['os_keychain', 'passphrase', 'key_file', 'memory']);

function markRecords(file: VaultFile, master: MasterKey | null): void {
  for (const record of file.records) record.isLocked = master === null || !canOpen(master, record);
}

function canOpen(master: MasterKey, record: DocumentRecord): boolean {
  try {
    openRecord(master, record).fill(0);
    return true;
  } catch {
    // Why it cannot be opened is told to whoever asks for this record.
    return false;
  }
}
