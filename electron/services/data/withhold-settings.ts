import { readEnvironmentName } from '@shared/contract/environment-id';
import { readPlace } from '@shared/http-file/read-place';
import { isRecord } from '@shared/json/is-record';
import { isLocalPath } from '@shared/links/parse-link';

type Values = Record<string, unknown>;

/** What a route of an environment is: a proxy, and whoever may vouch for its service. */
const routeParts = ['proxyUrl', 'proxyUser', 'ca'] as const;

/**
 * Takes out of a backup's settings what decides where secrets and webhooks go and what runs, where this folder does not
 * say the same.
 *
 * A backup may have passed through other hands: whoever changed an address in it must not get what the vault beside it
 * holds. The user's word is asked for again, as for any address that changed.
 * @param own - settings of the folder that it is restored into
 * @returns the settings to restore, and what was left out of them
 */
export function withholdSettings(restored: Values, own: Values): { settings: Values; leftOut: string[] } {
  const leftOut: string[] = [];
  const settings: Values = { ...restored };
  const take = (name: string, what: string, isHarmless: (value: unknown) => boolean): void => {
    const value = settings[name];
    if (value === undefined || isSame(value, own[name]) || isHarmless(value)) return;
    leftOut.push(what);
    if (own[name] === undefined) Reflect.deleteProperty(settings, name);
    else settings[name] = own[name];
  };
  const isEmpty = (value: unknown): boolean => value === '';
  for (const name of ['updateAddress', 'updateKey']) take(name, 'where updates come from', isEmpty);
  take('tunnel.way', 'the way of the tunnel', (way) => typeof way !== 'string' || !/^\s*cmd:/i.test(way));
  take('forwarding', 'where webhooks are forwarded to', (value) => toRecord(value)['isOn'] !== true);
  if (settings['collections'] !== undefined)
    settings['collections'] = withholdFolders(
      toRecord(settings['collections']),
      toRecord(own['collections']),
      leftOut,
    );
  if (settings['environments'] !== undefined)
    settings['environments'] = withholdRoutes(
      toRecord(settings['environments']),
      toRecord(own['environments']),
      leftOut,
    );
  return { settings, leftOut: [...new Set(leftOut)] };
}

/** A folder that is open is read at the start: one of another machine would tell that machine who asks. */
function withholdFolders(restored: Values, own: Values, leftOut: string[]): Values {
  const listKnown = ({ known }: Values): Values[] => (Array.isArray(known) ? known.map(toRecord) : []);
  const ours = new Set(listKnown(own).map(({ directory }) => directory));
  const isKept = ({ directory }: Values): boolean =>
    typeof directory !== 'string' || isLocalPath(directory) || ours.has(directory);
  const [known, left] = [
    listKnown(restored).filter(isKept),
    listKnown(restored).filter((one) => !isKept(one)),
  ];
  for (const { directory } of left)
    leftOut.push(`the collection ${String(directory)}, which is not on this machine`);
  return left.length === 0 ? restored : { ...restored, known };
}

/** Addresses that secrets are bound to, proxies and issuers stay where they are those of this folder, too. */
function withholdRoutes(restored: Values, own: Values, leftOut: string[]): Values {
  const [bindings, ownBindings] = [toRecord(restored['bindings']), toRecord(own['bindings'])];
  const isKept = ([id, address]: [string, unknown]): boolean => ownBindings[id] === address;
  for (const [id] of Object.entries(bindings).filter((one) => !isKept(one)))
    leftOut.push(`the address that the secrets of ${readEnvironmentName(id)} are bound to`);
  const ownSetups = toRecord(own['setups']);
  const setups = Object.entries(toRecord(restored['setups'])).map(([id, value]) => {
    const [setup, ownSetup] = [toRecord(value), toRecord(ownSetups[id])];
    const isOwn = routeParts.every((part) => (setup[part] ?? '') === (ownSetup[part] ?? ''));
    const isStraight = routeParts.every((part) => (setup[part] ?? '') === '');
    if (isOwn || isStraight) return [id, value] as const;
    leftOut.push(`proxy and issuers of ${readEnvironmentName(id)}`);
    return [id, { ...setup, proxyUrl: '', proxyUser: '', ca: '' }] as const;
  });
  return {
    ...restored,
    ...(Array.isArray(restored['data']) && {
      data: keepProduction(withholdCallbacks(restored['data'], own['data'], leftOut), own['data'], leftOut),
    }),
    ...keepKinds(restored['kinds'], own['kinds'], leftOut),
    ...((restored['liveAddresses'] ?? own['liveAddresses']) !== undefined && {
      liveAddresses: { ...toRecord(restored['liveAddresses']), ...toRecord(own['liveAddresses']) },
    }),
    ...(restored['renames'] !== undefined && {
      renames: withholdRenames(toRecord(restored['renames']), toRecord(own['renames']), leftOut),
    }),
    // Settings of before there were bindings would be bound as they stand.
    isRestored: true,
    // Where the sandbox of another folder was.
    local: own['local'] ?? {},
    bindings: Object.fromEntries(Object.entries(bindings).filter(isKept)),
    setups: Object.fromEntries(setups),
  };
}

/** A service sends its webhooks where `callback_url` says: left out, it follows the listener. */
function withholdCallbacks(restored: readonly unknown[], own: unknown, leftOut: string[]): unknown[] {
  const ownEntries = Array.isArray(own) ? own.map(toRecord) : [];
  return restored.map((entry) => {
    const { name, variables } = toRecord(entry);
    const { callback_url: address, ...others } = toRecord(variables);
    const mine = ownEntries.find((one) => one['name'] === name);
    if (
      address === undefined ||
      address === '' ||
      isSame(address, toRecord(mine?.['variables'])['callback_url'])
    )
      return entry;
    leftOut.push(`the callback address of ${String(name)}`);
    return { ...toRecord(entry), variables: others };
  });
}

/** An environment that this folder calls production, by its name or its address, is asked about as before. */
function keepProduction(restored: readonly unknown[], own: unknown, leftOut: string[]): unknown[] {
  const ours = (Array.isArray(own) ? own.map(toRecord) : []).filter(({ kind }) => kind === 'production');
  if (ours.length === 0) return [...restored];
  const names = new Set(ours.map(({ name }) => name));
  const addresses = new Set(ours.map(({ baseUrl }) => readPlace(String(baseUrl))).filter(Boolean));
  return restored.map((entry) => {
    const { name, kind, baseUrl } = toRecord(entry);
    const isOurs = names.has(name) || addresses.has(readPlace(String(baseUrl)));
    if (kind === 'production' || !isOurs) return entry;
    leftOut.push(`that ${String(name)} is a test environment`);
    return { ...toRecord(entry), kind: 'production' };
  });
}

/** Kinds of the environments of collections. */
function keepKinds(restored: unknown, own: unknown, leftOut: string[]): { kinds?: Values } {
  const [kinds, ownKinds] = [toRecord(restored), toRecord(own)];
  const ours = Object.keys(ownKinds).filter(
    (id) => ownKinds[id] === 'production' && kinds[id] !== 'production',
  );
  if (restored === undefined && ours.length === 0) return {};
  for (const id of ours) leftOut.push(`that ${readEnvironmentName(id)} is a test environment`);
  return { kinds: { ...kinds, ...Object.fromEntries(ours.map((id) => [id, 'production'])) } };
}

/** The vault follows a rename: production's key and credentials would go to whatever it says is the new name. */
function withholdRenames(restored: Values, own: Values, leftOut: string[]): Values {
  const isKept = ([from, to]: [string, unknown]): boolean => own[from] === to;
  for (const [from, to] of Object.entries(restored).filter((one) => !isKept(one)))
    leftOut.push(`that ${readEnvironmentName(from)} is called ${readEnvironmentName(String(to))}`);
  return Object.fromEntries(Object.entries(restored).filter(isKept));
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

const toRecord = (value: unknown): Values => (isRecord(value) ? value : {});
