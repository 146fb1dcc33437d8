import { describe, expect, it } from 'vitest';
import { parseArguments, type OptionTable } from './option-table';

const table = {
  port: { type: 'integer', help: '', max: 65_535, fallback: 4010 },
  signature: { help: '' },
  host: { help: '', isList: true },
  retries: { help: '', choices: ['fast', 'none'] },
  force: { type: 'flag', help: '' },
} satisfies OptionTable;
const positionals = [{ name: 'FILE', isRequired: true, help: '' }];
const shells = [{ name: 'SHELL', isRequired: true, help: '', choices: ['bash', 'zsh'] }];
const parse = (...args: string[]) => parseArguments(args, table, positionals);

describe('parseArguments', () => {
  it('gives values in their types, defaults filled in', () => {
    expect(parse('f', '--port', '0', '--host', 'a', '--host=b', '--force', '--json')).toEqual({
      values: { port: 0, signature: undefined, host: ['a', 'b'], retries: undefined, force: true },
      positionals: ['f'],
      wantsHelp: false,
      isJson: true,
    });
    expect(parse('-').values['port']).toBe(4010);
  });

  it('takes values that begin with a dash, but no forgotten ones', () => {
    expect(parse('f', '--signature', '-_abc==').values['signature']).toBe('-_abc==');
    expect(parse('f', '--signature=--x').values['signature']).toBe('--x');
    expect(() => parse('f', '--signature', '--force')).toThrow(/^--signature needs a value/);
    expect(() => parse('f', '--signature')).toThrow(/^--signature needs a value/);
  });

  it.each([
    [['f', '--prot', '1'], 'There is no option --prot here. Did you mean --port?'],
    [['f', '--signatur', '1'], 'There is no option --signatur here. Did you mean --signature?'],
    [['f', '--colour', '1'], 'There is no option --colour here.'],
    [['f', '--port', '-1'], "--port takes a whole number from 0 to 65535, not '-1'."],
    [['f', '--port=-0'], "--port takes a whole number from 0 to 65535, not '-0'."],
    [['f', '--port', '1e3'], "--port takes a whole number from 0 to 65535, not '1e3'."],
    [['f', '--retries', 'x'], "--retries is one of fast, none, not 'x'."],
    [['f', '--port', '1', '--port', '2'], '--port is given 2 times; once is enough.'],
    [['f', '--force=1'], '--force takes no value.'],
    [['f', 'g'], "'g' is one argument too many."],
    [[], 'FILE is missing.'],
    [[''], 'FILE is empty.'],
    [['f', '--signature', ''], '--signature is empty.'],
    [['f', '--host', 'a', '--host='], '--host is empty.'],
    [['f', '--retries', ''], '--retries is empty: one of fast, none.'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(expect.objectContaining({ code: 'cli.usage', message }) as Error);
  });

  it('takes of a closed list what it has, in an option that may be repeated and in an argument, too', () => {
    const more: OptionTable = {
      reporter: { help: '', isList: true, choices: ['json', 'tap'] },
    };
    const read = (...args: string[]) => parseArguments(args, more, shells);
    expect(read('zsh', '--reporter', 'tap', '--reporter', 'json').values['reporter']).toEqual([
      'tap',
      'json',
    ]);
    expect(() => read('zsh', '--reporter', 'tap', '--reporter', 'xml')).toThrow(
      "--reporter is one of json, tap, not 'xml'.",
    );
    expect(() => read('csh')).toThrow("SHELL is one of bash, zsh, not 'csh'.");
    expect(() => read('')).toThrow('SHELL is empty: one of bash, zsh.');
    const files = [{ name: 'DIR|FILE…', help: '', isRequired: true, isList: true }];
    expect(() => parseArguments(['a', 'b', ''], more, files)).toThrow('DIR|FILE… is empty.');
    expect(() => read()).toThrow('SHELL is missing: one of bash, zsh.');
    // Whoever leaves it out names what comes behind it.
    const two = [...shells, { name: 'FILE', help: '', isRequired: true }];
    expect(() => parseArguments(['a.json'], more, two)).toThrow("SHELL is one of bash, zsh, not 'a.json'.");
  });

  it.each(['file:///etc/passwd', 'https://x.test/a', 'postgres://u:secret@h/d'])(
    'takes no address for a path: it would make a folder that is called %s',
    (text) => {
      const more: OptionTable = { data: { placeholder: 'DIR', help: '' }, 'base-url': { help: '' } };
      const files = [{ name: 'DIR|FILE…', help: '', isRequired: true, isList: true }];
      const said = 'takes a path on this machine, not an address.';
      expect(() => parseArguments(['--data', text], more, [])).toThrow(`--data ${said}`);
      expect(() => parseArguments(['a', text], more, files)).toThrow(`DIR|FILE… ${said}`);
      expect(parseArguments(['--base-url', text], more, []).values['base-url']).toBe(text);
      expect(parseArguments(['--data', 'C://x'], more, []).values['data']).toBe('C://x');
    },
  );

  it('asks for nothing where help is wanted', () => {
    expect(parse('--help').wantsHelp).toBe(true);
    expect(parse('-h').wantsHelp).toBe(true);
  });
});
