import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { z } from 'zod';
import type { HandlersOf } from '@shared/contract/contract';
import type { keyInspection, KeySummary } from '@shared/contract/vault';
import { isShared, readEnvironmentName } from '@shared/contract/environment-id';
import type { AppError } from '@shared/errors';
import type { Clock, Ports, Random } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { generatePrivateKey, writeEncryptedPem } from './key-forms/key-making';
import { readKey, readPrivateKey, readPublicKey, type ReadKey } from './key-forms/key-reading';
import type { StoredRecord } from './vault-file';
import type { SigningKey } from '../signing/key-source';
import type { VaultStore } from './vault-store';

const KeysError = errorsOf<'keys'>();

const KIND = 'key';

export interface NewKey {
  name: string;
  bits: 2048 | 3072 | 4096;
  environment: string | null;
}

export interface VaultKeysDeps {
  store: VaultStore;
  clock: Clock;
  random: Random;
  host: Ports['host'];
  /** What the app calls an environment. */
  labelOf(id: string): string;
}

/** Keeps the key pairs of the vault: makes, imports, binds to environments, hands out for signing. */
export class VaultKeys {
  readonly #deps: VaultKeysDeps;
  /** Parsed keys while the vault is open, by their sealed text: parsing costs more than signing. */
  readonly #parsed = new Map<string, KeyObject>();

  constructor(deps: VaultKeysDeps) {
    this.#deps = deps;
  }

  /** Lists keys, oldest first. A locked vault lists them too. @throws {AppError} `vault.unreadable` */
  async list(): Promise<KeySummary[]> {
    const records = await this.#deps.store.list(KIND);
    return records.map(summarise);
  }

  /**
   * Tells which key signs in an environment when none is chosen: the newest bound to it, else the newest bound to none.
   *
   * What a collection brings along gets no signature of a key that nobody bound to it: it could be used elsewhere.
   */
  async choose(environment: string): Promise<KeySummary | null> {
    const keys = await this.list();
    const bound = keys.filter((key) => key.environment === environment);
    const unbound = isShared(environment) ? [] : keys.filter((key) => key.environment === null);
    return pickUsable(bound) ?? pickUsable(unbound);
  }

  /** Makes a pair and keeps it. @throws {AppError} `vault.locked`, `vault.unreadable` */
  async generate({ name, bits, environment }: NewKey): Promise<KeySummary> {
    await this.#deps.store.requireUnlocked();
    const privateKey = await generatePrivateKey(bits);
    const key = await readPrivateKey(privateKey.export({ type: 'pkcs8', format: 'der' }));
    return this.#add(key, { name, environment, origin: 'generated' });
  }

  /**
   * Hands out a private key for signing in an environment.
   *
   * @param keyId - left out: the environment's own
   * @param overrideConfirmation - the environment's name, or what the app calls it, typed by the user, to sign with another environment's key
   * @throws {AppError} `keys.none_for_environment`, `keys.unknown`, `keys.wrong_environment`, `vault.locked`, `vault.damaged`
   */
  async getForSigning(
    environment: string,
    keyId?: string,
    overrideConfirmation?: string,
  ): Promise<SigningKey> {
    const id = keyId ?? (await this.choose(environment))?.id;
    if (id === undefined) throw noKey(environment, this.#deps.labelOf(environment));
    const record = await this.#find(id);
    const summary = summarise(record);
    const { name, fingerprint, publicKeyPem, environment: owner } = summary;
    const isOwn = owner === null || owner === environment;
    const names = [this.#deps.labelOf(environment), readEnvironmentName(environment)];
    if (!isOwn && !names.includes(overrideConfirmation ?? '')) {
      throw wrongEnvironment({ ...summary, environment: owner }, environment, this.#deps.labelOf);
    }
    return { id, name, fingerprint, publicKeyPem, privateKey: await this.#openPrivate(record) };
  }

  /** Drops parsed keys; called whenever the vault changes or locks. */
  forgetParsed(): void {
    this.#parsed.clear();
  }

  readonly handlers: HandlersOf<'keys'> = {
    'keys.list': async () => ({ keys: await this.list() }),
    'keys.generate': (input) => this.generate(input),
    'keys.inspect': ({ text, passphrase }) => this.#inspect(text, passphrase),
    'keys.import': async ({ name, text, passphrase, environment }) => {
      await this.#deps.store.requireUnlocked();
      const key = await readPrivateKey(text, passphrase);
      return { key: await this.#add(key, { name, environment, origin: 'imported' }), repairs: key.repairs };
    },
    'keys.update': (input) => this.#update(input),
    'keys.delete': async ({ id }) => {
      await this.#deps.store.edit((records) => ({
        changes: [{ kind: 'remove', record: requireRecord(records, id) }],
        result: undefined,
      }));
      return {};
    },
    'keys.checkPair': async ({ id, publicKeyText }) => {
      const { fingerprint } = readPublicKey(publicKeyText);
      return { matches: summarise(await this.#find(id)).fingerprint === fingerprint, fingerprint };
    },
    'keys.exportPrivate': (input) => this.#exportPrivate(input),
  };

  async #inspect(text: string, passphrase: string | undefined): Promise<z.output<typeof keyInspection>> {
    const { publicKey: _publicKey, privateKey: _privateKey, ...facts } = await readKey(text, passphrase);
    const same = (await this.list()).filter(({ fingerprint }) => fingerprint === facts.fingerprint);
    const environments = same.map(({ environment }) => environment).filter((name) => name !== null);
    return { ...facts, vaultKeyIds: same.map(({ id }) => id), environments: [...new Set(environments)] };
  }

  async #add(
    key: ReadKey & { privateKey: KeyObject },
    { name, environment, origin }: { name: string; environment: string | null; origin: KeySummary['origin'] },
  ): Promise<KeySummary> {
    const { store, clock, random } = this.#deps;
    const id = random.uuid();
    const secret = key.privateKey.export({ type: 'pkcs8', format: 'der' });
    const fields = {
      id,
      kind: KIND,
      name,
      environment,
      created_at: clock.now(),
      origin,
      bits: key.bits,
      exponent: key.exponent,
      fingerprint: key.fingerprint,
      public_key: key.publicKeyPem,
    };
    await store.edit((records) => {
      refuseDouble(records, key.fingerprint);
      return { changes: [{ kind: 'add', fields, secret }], result: undefined };
    });
    secret.fill(0);
    return summarise(await this.#find(id));
  }

  async #update({
    id,
    name,
    environment,
  }: {
    id: string;
    name?: string;
    environment?: string | null;
  }): Promise<KeySummary> {
    await this.#deps.store.edit((records) => {
      const record = requireRecord(records, id);
      const fields = { ...record.open, name: name ?? record.name };
      if (environment !== undefined) Object.assign(fields, { environment });
      return { changes: [{ kind: 'replace', record, fields }], result: undefined };
    });
    return summarise(await this.#find(id));
  }

  async #exportPrivate(input: {
    id: string;
    passphrase: string;
    confirmName: string;
  }): Promise<{ encryptedPem: string }> {
    if (this.#deps.host === 'web') {
      throw new KeysError(
        'keys.export_refused',
        'A private key is never handed to a browser. Use the desktop app or the command line.',
      );
    }
    const record = await this.#find(input.id);
    if (input.confirmName !== record.name) {
      throw new KeysError(
        'keys.confirmation_wrong',
        `Type the name of the key exactly ('${record.name}') to export its private half.`,
      );
    }
    return { encryptedPem: await writeEncryptedPem(await this.#openPrivate(record), input.passphrase) };
  }

  async #find(id: string): Promise<StoredRecord> {
    return requireRecord(await this.#deps.store.list(KIND), id);
  }

  async #openPrivate(record: StoredRecord): Promise<KeyObject> {
    // Asked even when the key is parsed already: a locked vault gives nothing, and use keeps it from locking.
    await this.#deps.store.requireUnlocked();
    const parsed = this.#parsed.get(record.sealed.data);
    if (parsed !== undefined) return parsed;
    const der = await this.#deps.store.open(record);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    der.fill(0);
    this.#parsed.set(record.sealed.data, key);
    return key;
  }
}

function summarise({ id, name, environment, open, isLocked }: StoredRecord): KeySummary {
  return {
    id,
    name,
    environment,
    bits: Number(open['bits'] ?? 0),
    exponent: Number(open['exponent'] ?? 0),
    fingerprint: String(open['fingerprint'] ?? ''),
    publicKeyPem: String(open['public_key'] ?? ''),
    origin: open['origin'] === 'imported' ? 'imported' : 'generated',
    createdAt: Number(open['created_at'] ?? 0),
    isLocked,
  };
}

/** The newest that can be used; where none can, the newest, so that its lock is what the user hears of. */
function pickUsable(keys: readonly KeySummary[]): KeySummary | null {
  return keys.findLast(({ isLocked }) => !isLocked) ?? keys.at(-1) ?? null;
}

function requireRecord(records: readonly StoredRecord[], id: string): StoredRecord {
  const record = records.find((candidate) => candidate.kind === KIND && candidate.id === id);
  if (record !== undefined) return record;
  throw new KeysError('keys.unknown', 'That key is not in the vault any more. Choose another.', {
    details: { id },
  });
}

function refuseDouble(records: readonly StoredRecord[], fingerprint: string): void {
  const same = records.find(
    ({ kind, open, isLocked }) => kind === KIND && !isLocked && open['fingerprint'] === fingerprint,
  );
  if (same === undefined) return;
  throw new KeysError(
    'keys.duplicate',
    `This key is in the vault already, as '${same.name}'. Use that one, or change the environment it belongs to.`,
    { details: { id: same.id, name: same.name, environment: same.environment } },
  );
}

function noKey(environment: string, label: string): AppError {
  return new KeysError(
    'keys.none_for_environment',
    `No key signs for '${label}' yet. Generate or import one in Keys and tokens, and register its public key.`,
    { details: { environment } },
  );
}

function wrongEnvironment(
  key: KeySummary & { environment: string },
  environment: string,
  labelOf: VaultKeysDeps['labelOf'],
): AppError {
  const name = labelOf(environment);
  const owner = labelOf(key.environment);
  // One that is gone may have had the same name.
  const ownerText = owner === name ? `another '${owner}'` : `'${owner}'`;
  return new KeysError(
    'keys.wrong_environment',
    `'${key.name}' belongs to ${ownerText} and is not used in '${name}'. ` +
      `Choose a key of '${name}', or type its name to sign with this one all the same.`,
    { details: { keyId: key.id, keyName: key.name, keyEnvironment: key.environment, environment } },
  );
}
