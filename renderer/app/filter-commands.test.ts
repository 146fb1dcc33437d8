import { describe, expect, it } from 'vitest';
import { filterCommands } from './filter-commands';

const command = (group: string, title: string) => ({ id: title, group, title, run: () => undefined });
const commands = [
  command('Go to', 'Inbox'),
  command('Request', 'Send'),
  command('Open', 'Send test webhook'),
];

describe('filterCommands', () => {
  it('shows everything before anything is typed', () => {
    expect(filterCommands(commands, ' ')).toHaveLength(3);
  });

  it('asks for every word, in group or title, in either case', () => {
    expect(filterCommands(commands, 'OPEN web').map(({ title }) => title)).toEqual(['Send test webhook']);
  });

  it('puts titles that begin with the query first', () => {
    const found = filterCommands([command('Window', 'Resend'), ...commands], 'send');
    expect(found.map(({ title }) => title)).toEqual(['Send', 'Send test webhook', 'Resend']);
  });
});
