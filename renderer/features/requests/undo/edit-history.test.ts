import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EditHistory, type EditPlace } from './edit-history';

const places: readonly EditPlace[] = [
  { part: 'body', detail: '' },
  { part: 'form', detail: 'transaction.amount' },
  { part: 'headers', detail: 'value 0' },
];

it('goes back through edits of every part, and forth again', () => {
  const history = new EditHistory('a');
  history.record('a', 'ab', places[1]!, 0);
  history.record('ab', 'abc', places[2]!, 10);
  history.record('abc', 'abcd', places[0]!, 20);
  history.record('abcd', 'abcde', places[0]!, 30);
  expect(history.undo('abcde')).toEqual({ text: 'abc', place: places[0], start: 3, end: 3 });
  expect(history.undo('abc')).toMatchObject({ text: 'ab', place: places[2] });
  expect(history.redo('ab')).toEqual({ text: 'abc', place: places[2], start: 2, end: 3 });
  expect(history.undo('abc')?.text).toBe('ab');
  expect(history.undo('ab')?.text).toBe('a');
  expect(history.undo('a')).toBeNull();
});

it('begins a new step after a pause, and forgets what was taken back once something is edited', () => {
  const history = new EditHistory('');
  history.record('', 'x', places[0]!, 0);
  history.record('x', 'xy', places[0]!, 1000);
  expect(history.undo('xy')?.text).toBe('x');
  history.record('x', 'xz', places[0]!, 1001);
  expect(history.redo('xz')).toBeNull();
  expect(history.undo('xz')?.text).toBe('x');
});

it('takes back a file that was read anew, too', () => {
  const history = new EditHistory('mine');
  history.record('mine', 'mine!', places[0]!, 0);
  expect(history.undo('theirs')?.text).toBe('mine!');
  expect(history.undo('mine!')?.text).toBe('mine');
});

it('comes back to every text in turn, whatever was edited where', () => {
  const edits = fc.array(fc.record({ text: fc.string({ maxLength: 20 }), place: fc.nat(2) }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(edits, (list) => {
      const history = new EditHistory('');
      const texts = [''];
      list.forEach(({ text, place }, index) => {
        if (text === texts.at(-1)) return;
        history.record(texts.at(-1)!, text, places[place]!, index * 1000);
        texts.push(text);
      });
      for (let at = texts.length - 1; at > 0; at -= 1)
        expect(history.undo(texts[at]!)?.text).toBe(texts[at - 1]);
      for (let at = 1; at < texts.length; at += 1) expect(history.redo(texts[at - 1]!)?.text).toBe(texts[at]);
    }),
  );
});
