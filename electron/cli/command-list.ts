import { findCloseWord } from '@shared/find-close-word';
import type { Command } from './command';

interface ListedCommand {
  readonly summary: string;
  load(): Promise<{ command: Command }>;
}

/** Every command by name; `key generate` and its like have two words. Modules load when they are called. */
export const commandList: Readonly<Record<string, ListedCommand>> = {
  app: { summary: 'Open the app', load: () => import('./commands/app') },
  sandbox: { summary: 'Run the embedded payments service', load: () => import('./commands/sandbox') },
  'sandbox snapshot': {
    summary: "Save or load a sandbox's whole state",
    load: () => import('./commands/sandbox-snapshot'),
  },
  listen: { summary: 'Receive webhooks and keep them', load: () => import('./commands/listen') },
  'inbox list': { summary: 'List the webhooks kept', load: () => import('./commands/inbox-list') },
  'inbox show': { summary: 'Show one webhook', load: () => import('./commands/inbox-show') },
  'inbox export': {
    summary: 'Write webhooks as JSON lines, HAR, curl or .http',
    load: () => import('./commands/inbox-export'),
  },
  'inbox wait': { summary: 'Wait for a webhook', load: () => import('./commands/inbox-wait') },
  'inbox compare': { summary: 'Compare two webhooks', load: () => import('./commands/inbox-compare') },
  'inbox mark': { summary: 'Pin, note, tag or delete webhooks', load: () => import('./commands/inbox-mark') },
  'inbox replay': { summary: 'Send webhooks again', load: () => import('./commands/inbox-replay') },
  'webhook sign': {
    summary: 'Sign a webhook as Standard Webhooks says',
    load: () => import('./commands/webhook-sign'),
  },
  'webhook verify': {
    summary: 'Verify the signature of a webhook',
    load: () => import('./commands/webhook-verify'),
  },
  'key generate': { summary: 'Make an RSA pair', load: () => import('./commands/key-generate') },
  'key inspect': { summary: 'Tell what a key file holds', load: () => import('./commands/key-inspect') },
  'key convert': { summary: 'Write a key in another form', load: () => import('./commands/key-convert') },
  'key public': { summary: 'Give the public key of a pair', load: () => import('./commands/key-public') },
  sign: { summary: 'Sign the body of a request', load: () => import('./commands/sign') },
  verify: { summary: 'Verify a signature', load: () => import('./commands/verify') },
  doctor: { summary: 'Find out what a signature did sign', load: () => import('./commands/doctor') },
  import: { summary: 'Import requests of another tool', load: () => import('./commands/import') },
  token: { summary: 'Get an access token', load: () => import('./commands/token') },
  send: { summary: 'Sign and send a request file', load: () => import('./commands/send') },
  export: { summary: 'Write a collection for another tool', load: () => import('./commands/export') },
  run: { summary: 'Run requests as tests', load: () => import('./commands/run') },
  status: { summary: 'Look a payment up', load: () => import('./commands/status') },
  journey: { summary: "Tell a payment's timeline", load: () => import('./commands/journey') },
  balances: { summary: 'Show wallet balances', load: () => import('./commands/balances') },
  data: { summary: 'Back up, restore, move or reset the data folder', load: () => import('./commands/data') },
  settings: {
    summary: 'Export or import settings without secrets',
    load: () => import('./commands/settings'),
  },
  update: { summary: 'Look for a newer release, where you say', load: () => import('./commands/update') },
  call: { summary: 'Call a method of the app with JSON', load: () => import('./commands/call') },
  proxy: {
    summary: 'Stand between your backend and a service, and look',
    load: () => import('./commands/proxy'),
  },
  'proxy export': {
    summary: 'Write what passed the proxy as JSON lines or HAR',
    load: () => import('./commands/proxy-export'),
  },
  report: {
    summary: 'Judge what your backend did by the rules of the interface',
    load: () => import('./commands/report'),
  },
  mcp: {
    summary: 'Serve a coding agent (Model Context Protocol)',
    load: () => import('./commands/mcp'),
  },
  'check-receiver': {
    summary: "Play the service's webhooks against your receiver",
    load: () => import('./commands/check-receiver'),
  },
  trigger: { summary: 'Have a test webhook sent', load: () => import('./commands/trigger') },
  completion: { summary: 'Complete commands in a shell', load: () => import('./commands/completion') },
};

/** What may have been meant by words that are no command: `snadbox`, `inbox shwo`. @returns null: nothing is near */
export function suggestCommand([first = '', second = '']: readonly string[]): string | null {
  const names = Object.keys(commandList);
  const isGroup = names.some((name) => name.startsWith(`${first} `));
  if (isGroup)
    return findCloseWord(
      `${first} ${second}`,
      names.filter((name) => name.startsWith(`${first} `)),
    );
  return findCloseWord(first, [...new Set(names.map((name) => name.split(' ')[0]!))]);
}

/**
 * Finds the command that the arguments begin with.
 *
 * @returns its name and the arguments that are left; `groups` where only the first word fits
 */
export function findCommand(
  args: readonly string[],
): { name: string; rest: readonly string[] } | { group: readonly string[] } | null {
  const [first = '', second = ''] = args;
  const pair = `${first} ${second}`;
  if (Object.hasOwn(commandList, pair)) return { name: pair, rest: args.slice(2) };
  if (Object.hasOwn(commandList, first)) return { name: first, rest: args.slice(1) };
  const group = Object.keys(commandList).filter((name) => name.startsWith(`${first} `));
  return first !== '' && group.length > 0 ? { group } : null;
}
