import { describe, expect, it } from 'vitest';
import type { ChoiceGesture } from '../../ui/row-list';
import { chooseRows, countChosen, listChosen, listMeant, NO_CHOICE, type RowChoice } from './row-choice';

const rows = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));
const play = (current: string | null, ...gestures: ChoiceGesture[]): RowChoice =>
  gestures.reduce((choice, gesture) => chooseRows(choice, gesture, rows, current), NO_CHOICE);
const ids = (choice: RowChoice): string => [...choice.ids].toSorted().join('');

describe('choosing rows', () => {
  it('adds to the row on show with Ctrl, and takes away again', () => {
    expect(ids(play('e', { kind: 'toggle', id: 'c' }))).toBe('ce');
    expect(ids(play('e', { kind: 'toggle', id: 'c' }, { kind: 'toggle', id: 'e' }))).toBe('c');
  });

  it('takes a range with Shift, from where choosing began, up and down', () => {
    expect(ids(play('d', { kind: 'range', id: 'b' }))).toBe('bcd');
    expect(ids(play('d', { kind: 'range', id: 'b' }, { kind: 'range', id: 'e' }))).toBe('de');
    expect(ids(play('e', { kind: 'toggle', id: 'c' }, { kind: 'range', id: 'a' }))).toBe('abc');
    expect(ids(play('gone', { kind: 'range', id: 'b' }))).toBe('b');
  });

  it('has of all what came in since they were chosen, and of some those alone', () => {
    const more = [{ id: 'f' }, ...rows];
    expect(listChosen(play('e', { kind: 'all' }), more).join('')).toBe('fedcba');
    expect(listChosen(play('e', { kind: 'toggle', id: 'c' }), more).join('')).toBe('ec');
    const loaded = { rows: more, totalCount: 6 };
    expect(listMeant(play('e', { kind: 'all' }), loaded, 'e')).toHaveLength(6);
    expect(listMeant(play('e', { kind: 'all' }), { ...loaded, totalCount: 7 }, 'e')).toEqual([]);
    expect([listMeant(NO_CHOICE, loaded, 'e'), listMeant(NO_CHOICE, loaded, null)]).toEqual([['e'], []]);
  });

  it('takes all that fit, loaded or not, and goes on from the loaded ones when one is taken away', () => {
    const all = play('e', { kind: 'all' });
    expect(countChosen(all, 90_000)).toBe(90_000);
    const less = chooseRows(all, { kind: 'toggle', id: 'c' }, rows, 'e');
    expect([ids(less), countChosen(less, 90_000)]).toEqual(['abde', 4]);
    expect(chooseRows(all, { kind: 'none' }, rows, 'e')).toBe(NO_CHOICE);
  });
});
