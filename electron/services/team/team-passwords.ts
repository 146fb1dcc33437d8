import type { SealedVariables } from '../environments/secret-variables';
import type { TeamEntry } from './team-settings';

type Entry = Pick<TeamEntry, 'id' | 'address' | 'isSealed'>;

const NAME = 'password';
const idOf = ({ id }: Pick<Entry, 'id'>): string => `team/${id}`;

/**
 * Keeps the passwords of team inboxes: sealed in the vault, or until the app ends.
 *
 * Each is bound to the address that it was given for: where that is another one, nothing is sent there.
 */
export class TeamPasswords {
  readonly #session = new Map<string, { address: string; password: string }>();

  constructor(private readonly vault: () => Promise<SealedVariables>) {}

  /** @throws {AppError} `vault.*` where it is to be kept and the vault is locked */
  async keep(entry: Pick<Entry, 'id' | 'address'>, password: string, isKept: boolean): Promise<void> {
    if (isKept) {
      await (await this.vault()).keep(idOf(entry), new Map([[NAME, `${entry.address}\n${password}`]]));
      this.#session.delete(entry.id);
    } else this.#session.set(entry.id, { address: entry.address, password });
  }

  /** Null: none is known for this address. @throws {AppError} `vault.locked` and others of the vault */
  async read(entry: Entry): Promise<string | null> {
    const given = this.#session.get(entry.id);
    if (given?.address === entry.address) return given.password;
    if (!entry.isSealed) return null;
    const sealed = await (await this.vault()).read(idOf(entry), NAME);
    return sealed?.startsWith(`${entry.address}\n`) === true ? sealed.slice(entry.address.length + 1) : null;
  }

  /** Where it is; the vault is not opened for that. */
  find(entry: Entry): 'vault' | 'session' | 'none' {
    if (this.#session.get(entry.id)?.address === entry.address) return 'session';
    return entry.isSealed ? 'vault' : 'none';
  }

  async forget(entry: Pick<Entry, 'id' | 'isSealed'>): Promise<void> {
    this.#session.delete(entry.id);
    if (entry.isSealed) await (await this.vault()).keepOnly(idOf(entry), []);
  }
}
