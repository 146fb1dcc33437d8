import { describe, expect, it } from 'vitest';
import { actionList } from '@shared/actions/action-list';
import { addWords, cutMatches, listFoundWords, searchCommands } from './find-commands';

const command = (group: string, title: string) => ({ id: title, group, title, run: () => undefined });
const commands = [
  command('Go to', 'Inbox'),
  command('Request', 'Send'),
  command('Request', 'New request…'),
  command('Environment', 'staging'),
  command('Setting', 'Lock the vault after'),
  command('Open', 'Send test webhook'),
];
const find = (query: string) => searchCommands(commands)(query).map(({ command: { title } }) => title);

describe('searchCommands', () => {
  it('shows everything, in its order, before anything is typed', () => {
    expect(find(' ')).toEqual(commands.map(({ title }) => title));
  });

  it('takes letters that stand apart', () => {
    expect(find('nwreq')[0]).toBe('New request…');
    expect(find('stg')[0]).toBe('staging');
  });

  it.each([
    ['new payout', 'New request…'],
    ['rotate', 'Generate a key…'],
    ['public key', 'Inspect any key'],
    ['ngrok', 'Open a tunnel…'],
    ['clear history', 'What the history keeps…'],
    ['import curl', 'Import…'],
    ['new request', 'New request…'],
    ['local sandbox', 'Sandbox'],
    ['webhook secret', 'Webhook secret and signing'],
    ['callback url', 'Inbox'],
    ['wallets', 'Balances'],
    ['get token', 'Keys and tokens'],
    ['query payment', 'Lookups'],
    ['switch environment', 'Environments'],
    ['backup', 'Settings'],
  ])('leads from the words of a user to what the app calls otherwise: %s', (query, title) => {
    const all = actionList.map((one) => addWords({ ...one, run: () => undefined }));
    expect(searchCommands(all)(query)[0]?.command.title).toBe(title);
  });

  it.each([
    ['import', []],
    ['openapi', ['OpenAPI']],
    ['curl postman', ['curl', 'Postman']],
  ])('shows of what else a command is found by what was found: %s', (query, expected) => {
    const imports = { ...command('Collection', 'Import…'), words: 'curl, Postman, OpenAPI' };
    const [found] = searchCommands([imports])(query);
    expect(listFoundWords(found!).map(({ text }) => text)).toEqual(expected);
  });

  it('takes words in any order, of group or title, in either case', () => {
    expect(find('VAULT sett')[0]).toBe('Lock the vault after');
    expect(find('web open')).toEqual(['Send test webhook']);
  });

  it('puts the closest first', () => {
    expect(find('send').slice(0, 2)).toEqual(['Send', 'Send test webhook']);
  });

  it('puts what is called so before what only stands in such a group', () => {
    const settings = [command('Setting', 'Theme'), command('Go to', 'Settings')];
    expect(searchCommands(settings)('set')[0]?.id).toBe('Settings');
  });

  it('puts Import before Import a key, with or without its dots, and finds it by what it takes', () => {
    const imports = [
      command('Key', 'Import a key…'),
      { ...command('Collection', 'Import…'), words: 'curl, Postman, OpenAPI' },
    ];
    const search = searchCommands(imports);
    for (const query of ['import', 'Import…', 'import...', 'imp', 'postman', 'import curl']) {
      expect(search(query)[0]?.id, query).toBe('Import…');
    }
    expect(search('import a')[0]?.id).toBe('Import a key…');
  });

  it('puts what is also known so before titles that only have its letters, and behind those that have its words', () => {
    const search = searchCommands([
      command('Collection', 'Open a folder…'),
      command('Open', 'Collection of one payment'),
      { ...command('Collection', 'Import…'), words: 'curl, Bruno, OpenCollection' },
      command('Request', 'Copy as cURL, with token'),
    ]);
    const first = (query: string) => search(query)[0]?.command.title;
    expect(['OpenCollection', 'opencoll', 'bruno'].map(first)).toEqual(['Import…', 'Import…', 'Import…']);
    expect(['curl', 'open'].map(first)).toEqual(['Copy as cURL, with token', 'Open a folder…']);
  });

  it('finds nothing where letters are missing', () => {
    expect(find('inbxz')).toEqual([]);
  });
});

describe('searchCommands among 20,000', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => command('team', `Request ${at} of the team`));
  const search = searchCommands([...many, command('team', 'Request'), command('Go to', 'Balances')]);
  const first = (query: string): string | undefined => search(query)[0]?.command.title;

  it('finds what stands last, by all of its name, a part, or letters that stand apart', () => {
    expect(first('request')).toBe('Request');
    expect(first('REQUEST 19999')).toBe('Request 19999 of the team');
    expect(first('team 12345')).toBe('Request 12345 of the team');
    expect(first('blncs')).toBe('Balances');
    expect(search('nobody is called so')).toEqual([]);
  });

  it('weighs a part of them for each letter that is typed', () => {
    let reads = 0;
    const counting = many.map(({ title, ...others }) => ({
      ...others,
      get title() {
        reads += 1;
        return title;
      },
    }));
    const searchCounting = searchCommands(counting);
    searchCounting('r');
    for (const typed of ['re', 'request', 'request 1', 'request 15']) {
      reads = 0;
      expect(searchCounting(typed)).toHaveLength(100);
      expect(reads, typed).toBeLessThan(many.length / 2);
    }
  });
});

describe('cutMatches', () => {
  it('marks the letters that were typed, in title and group', () => {
    const [best] = searchCommands(commands)('inb go');
    expect(cutMatches('Inbox', best!.matched)).toEqual([
      { text: 'Inb', isMatched: true },
      { text: 'ox', isMatched: false },
    ]);
    expect(cutMatches('Go to', best!.matched, 'Inbox '.length)).toEqual([
      { text: 'Go', isMatched: true },
      { text: ' to', isMatched: false },
    ]);
  });
});
