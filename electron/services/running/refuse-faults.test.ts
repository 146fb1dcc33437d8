import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { refuseFaults } from './refuse-faults';

const fault = (file: string, line: number, message: string) => ({ file, line, message });

it('tells each fault in full, once, with all its places, and what the vault lacks beside', () => {
  const faults = [
    fault('a.http', 3, 'Nobody gives {{x}}.'),
    fault('b.http', 1, 'Nobody gives {{y}}.'),
    fault('c.http', 9, 'Nobody gives {{x}}.'),
  ];
  expect(() => refuseFaults(faults, [new AppError('keys.none_for_environment', 'No key.')])).toThrow(
    expect.objectContaining({
      code: 'running.bad_file',
      message:
        'a.http:3, c.http:9: Nobody gives {{x}}. b.http:1: Nobody gives {{y}}. Nothing was sent. No key.',
    }),
  );
});

it('names the places alone of what is more than can be read', () => {
  const faults = Array.from({ length: 9 }, (_, index) => fault(`${index}.http`, 1, `Fault ${index}.`));
  expect(() => refuseFaults(faults)).toThrow(
    /^0\.http:1: Fault 0\. .* 5\.http:1: Fault 5\. Nothing was sent\. \(and 3 more: 6\.http:1, 7\.http:1, 8\.http:1\)$/,
  );
});

it('lets pass where nothing is wrong and nothing is lacking', () => {
  expect(() => refuseFaults([])).not.toThrow();
});
