import { expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { importDocument } from '../import-document';

const u = 'https://a.example/pay';
const read = (text: string): unknown =>
  importDocument({ name: 'given', files: [{ path: 'given', text }] }, 'auto');

it('does not lose itself in what stands within what', () => {
  const texts = [
    `X=${'$(curl a '.repeat(4000)}`,
    `curl ${u} -d ${'"$(cat <<E\n'.repeat(4000)}`,
    '```\ncurl x\n'.repeat(5000),
    `\`\`\`\`\n${'`'.repeat(100_000)}`,
    `curl ${u} ${'“'.repeat(20_000)}`,
    `curl ${u}\n${'-H "a$(b)"\n'.repeat(2000)}`,
    `curl ${u} -d $(${'"$('.repeat(100_000)}`,
    'curl a <<E\n  E\n'.repeat(4000),
    `curl ${u} -d ${'"$("'.repeat(4000)}`,
    `curl ${u} -d @${'<(cat <<E\n) '.repeat(80_000)}`,
    `curl ${u} -d ${'$(cat <<E\n) '.repeat(80_000)}`,
    `curl ${u} -d ${'<(a) '.repeat(21_000)}`,
    `curl ${u} ${'a '.repeat(15_000)}${'--abc '.repeat(20_000)}`,
    `@echo off\ncurl ${u} ${Array.from({ length: 21_000 }, (_, index) => `%a${index}:x%`).join(' ')}`,
    `@echo off\nrem x ${'&'.repeat(300_000)}`,
    `x=${'`'.repeat(120_000)}\ncurl ${u}`,
    `${'x=`a` '.repeat(20_000)}\ncurl ${u}`,
    `irm ${u} -Body ${'"$('.repeat(100_000)}`,
    `irm ${u} -Body ${'@{a=('.repeat(100_000)}`,
    `$x = ${'$a + '.repeat(100_000)}\nirm ${u}`,
    `irm ${u}${'<#'.repeat(100_000)}`,
    `irm ${u} -Body $a${'.b('.repeat(100_000)}`,
  ];
  const countMs = countProcessorMs();
  for (const text of texts) {
    try {
      read(text);
    } catch (error) {
      expect(error).toHaveProperty('code');
    }
  }
  expect(countMs()).toBeLessThan(8000);
});

it('says of a command with very many addresses that there are too many of them', () => {
  expect(() => read(`curl ${'a '.repeat(300_000)}`)).toThrow('more than 20000 requests');
});

it('reads a text of tens of megabytes, within quotes or without', () => {
  const size = 32 * 1024 * 1024;
  for (const text of [`curl ${u}${' '.repeat(size)}`, `curl ${u} -d "${'a'.repeat(size)}"`])
    expect(read(text)).toMatchObject({ counts: { requests: 1 } });
});
