import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionList, findAction } from './action-list';
import { findKeyConflict, fixedKeys, isRebound, keysOf, normalizeKeys, toAccelerator } from './key-bindings';
import { viewList } from './view-list';

describe('the table of actions', () => {
  it('names none twice', () => {
    const ids = actionList.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('has the way to every view', () => {
    expect(viewList.filter(({ id }) => findAction(`go-${id}`)?.menu !== 'go')).toEqual([]);
  });

  it('numbers the first nine views from the top of the rail', () => {
    const numbered = viewList.slice(0, 9).map(({ id }) => findAction(`go-${id}`)?.keys);
    expect(numbered).toEqual(numbered.map((_keys, index) => [`mod+${index + 1}`]));
  });

  it('gives no keys that another action of the same moment, a list or an editor has', () => {
    const conflicts = actionList.flatMap(({ id, keys = [] }) =>
      keys.map((one) => findKeyConflict(id, one, {})).filter((conflict) => conflict !== null),
    );
    expect(conflicts).toEqual([]);
    expect(actionList.flatMap(({ keys = [] }) => keys).filter((one) => normalizeKeys(one) !== one)).toEqual(
      [],
    );
    const fixed = fixedKeys.flatMap(({ keys }) => keys);
    expect(fixed.filter((one) => normalizeKeys(one) !== one && !/^(?:(?:shift\+)?F6|\/)$/.test(one))).toEqual(
      [],
    );
  });
});

describe('own keys', () => {
  it('take the place of the usual ones; none at all may be wished for', () => {
    expect(keysOf('palette', {})).toEqual(['mod+k', 'F1']);
    expect(keysOf('palette', { palette: 'shift+mod+P' })).toEqual(['mod+shift+p']);
    expect(keysOf('palette', { palette: '' })).toEqual([]);
    expect(isRebound('palette', { palette: '' })).toBe(true);
    expect(isRebound('palette', { send: 'F9' })).toBe(false);
    expect(keysOf('environment-local', { constructor: 'mod+1' })).toEqual([]);
  });

  it('count for nothing where they cannot be read', () => {
    for (const spoilt of ['x', 'shift+a', 'mod+', 'mod+mod+a', 'hyper+a', 'mod+' + 'a'.repeat(50), 'mod+v']) {
      expect(keysOf('save', { save: spoilt }), spoilt).toEqual(['mod+s']);
    }
  });

  it('are refused where something else of the same moment has them, in words that name it', () => {
    expect(findKeyConflict('save', 'mod+K', {})).toContain('Show all commands');
    expect(findKeyConflict('save', 'mod+k', { palette: 'mod+shift+p' })).toBeNull();
    expect(findKeyConflict('palette', 'mod+z', {})).toContain('Undo');
    expect(findKeyConflict('save', 'mod+Enter', {})).toContain('Send');
    // What is on another view is never on the screen together with it.
    expect(findKeyConflict('history-pin', 'mod+s', {})).toBeNull();
    expect(findKeyConflict('palette', 'a', {})).toContain('Hold Ctrl');
  });

  it('never meet, whatever is set one after another', () => {
    const keys = fc
      .tuple(fc.subarray(['mod', 'ctrl', 'alt', 'shift']), fc.constantFrom('a', 'k', 's', '1', 'Enter', 'F9'))
      .map(([held, key]) => [...held, key].join('+'));
    const wish = fc.tuple(fc.constantFrom(...actionList.map(({ id }) => id)), keys);
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12 }), (wishes) => {
        let bindings: Record<string, string> = {};
        for (const [id, wanted] of wishes) {
          if (findKeyConflict(id, wanted, bindings) === null) bindings = { ...bindings, [id]: wanted };
        }
        const met = actionList.flatMap(({ id }) =>
          keysOf(id, bindings).map((one) => findKeyConflict(id, one, bindings)),
        );
        expect(met.filter((one) => one !== null)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

it('writes keys for a native menu', () => {
  expect(['mod+shift+f', 'ctrl+Tab', 'alt+PageDown', 'mod+,', 'F1'].map(toAccelerator)).toEqual([
    'CmdOrCtrl+Shift+F',
    'Ctrl+Tab',
    'Alt+PageDown',
    'CmdOrCtrl+,',
    'F1',
  ]);
});
