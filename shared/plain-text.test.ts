import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../test/support/processor-time';
import { toPlainJson, toPlainLine, toPlainText } from './plain-text';

describe('text for a terminal', () => {
  it('shows what a terminal would act on instead of sending it', () => {
    expect(toPlainText('\x1b[2J\x1b]0;own\x07 \x9b1m \u202egnp.exe \x00')).toBe(
      '\\x1b[2J\\x1b]0;own\\x07 \\x9b1m \\u202egnp.exe \\x00',
    );
  });

  it.each([0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2060, 0x206a, 0xfeff, 0xfffb])(
    'shows U+%i, which nobody sees',
    (code) => {
      const hidden = `a${String.fromCharCode(code)}b`;
      expect(toPlainText(hidden)).toMatch(/^a\\[ux][0-9a-f]+b$/);
      expect(toPlainJson(hidden)).toMatch(/^"a\\u[0-9a-f]{4}b"$/);
    },
  );

  it('shows text of tags, in both units of each', () => {
    const hidden = { text: `R-1${String.fromCodePoint(0xe0041)}` };
    expect(toPlainText(hidden.text)).toBe('R-1\\udb40\\udc41');
    expect(JSON.parse(toPlainJson(hidden))).toEqual(hidden);
    expect(toPlainJson(hidden)).toBe('{"text":"R-1\\udb40\\udc41"}');
  });

  it('leaves lines, tabs and every script as they are', () => {
    expect(toPlainText('a\tb\r\nMpesa é 付款 🧾 שלום')).toBe('a\tb\nMpesa é 付款 🧾 שלום');
    expect(toPlainText('over\rwritten')).toBe('over\\x0dwritten');
  });

  it('escapes them in JSON as JSON has it, so that it still reads as the same', () => {
    const hostile = { text: '\x1b[2J \x7f \x9b1m \u202egnp.exe \0 \ud800 é 付款' };
    const json = toPlainJson(hostile);
    expect(json).toBe('{"text":"\\u001b[2J \\u007f \\u009b1m \\u202egnp.exe \\u0000 \\ud800 é 付款"}');
    expect(JSON.parse(json)).toEqual(hostile);
    expect(toPlainText(json)).toBe(json);
  });

  it('keeps JSON on one line for whoever ends lines at separators, too', () => {
    const json = toPlainJson({ text: 'a\u2028b\u2029c' });
    expect(json).toBe('{"text":"a\\u2028b\\u2029c"}');
    expect(JSON.parse(json)).toEqual({ text: 'a\u2028b\u2029c' });
  });

  it('keeps a text that came from outside on its line', () => {
    expect(toPlainLine('SUCCESS\n2026-01-01 forged line')).toBe('SUCCESS\\n2026-01-01 forged line');
  });

  it.each([
    ['a ##vso[task.setvariable variable=PATH]/evil', 'a ##vso\\x5btask.setvariable variable=PATH]/evil'],
    ['received ##[add-mask]true', 'received ##\\x5badd-mask]true'],
    ["##teamcity[buildStatus text='x']", "##teamcity\\x5bbuildStatus text='x']"],
    ['::add-mask::true', '\\x3a:add-mask::true'],
    [
      'one\n \u2003\t::Set-Output name=a::b\n::error ::c',
      'one\n \u2003\t\\x3a:Set-Output name=a::b\n\\x3a:error ::c',
    ],
  ])('shows what a build server would act on in its log: %s', (hostile, shown) => {
    expect(toPlainText(hostile)).toBe(shown);
    const json = toPlainJson({ hostile });
    expect(json).not.toMatch(/##\w*\[/);
    expect(JSON.parse(json)).toEqual({ hostile });
    expect(toPlainText(json)).toBe(json);
  });

  it.each(['::1', 'http://[::1]:80', '::ffff:127.0.0.1', '## [1.0]', 'std::vector::at', 'a ::error::'])(
    'leaves what is no command of theirs: %s',
    (text) => {
      expect(toPlainText(text)).toBe(text);
    },
  );

  it.each(['\u2028', ' ', '\n', '::a', '::a ', '##'])('takes time that grows with a text of %j', (part) => {
    const processorMs = countProcessorMs();
    toPlainText(part.repeat(500_000));
    expect(processorMs()).toBeLessThan(2000);
  });
});
