import { expect, it } from 'vitest';
import { listMeanwhile, typeNote } from './notes-meanwhile';

it('tells what a note became while another was typed in its place, and nothing of what was not typed over', () => {
  const before = { note: '', tags: 'old' };
  const typed = typeNote(typeNote(null, before, 'note', 'of'), before, 'note', 'of ann');
  expect(typed).toEqual({ note: 'of ann', seen: { note: '' } });
  expect(listMeanwhile(typed, before)).toEqual([]);
  const after = { note: 'of ben', tags: 'new' };
  expect(listMeanwhile(typed, after)).toEqual([['note', 'of ben']]);
  expect(listMeanwhile(typeNote(typed, after, 'tags', 'newer'), after)).toEqual([['note', 'of ben']]);
  expect(listMeanwhile(typed, { note: 'of ann', tags: 'new' })).toEqual([]);
  expect(listMeanwhile(null, after)).toEqual([]);
});
