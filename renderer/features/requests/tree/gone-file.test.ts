import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { editFile } from '../editor/edit-actions';
import { useRequestsStore, type OpenTab } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { openRequest, saveTab, takeDiskChanges } from './collection-actions';
import { goOnAt, saveAgain } from './gone-file';

const text = 'GET http://x';
const active = (): OpenTab => useRequestsStore.getState().tabs[0]!;
let files: Record<string, string>;
let followed: unknown[];

beforeEach(async () => {
  files = { 'a.http': text, 'other.http': 'GET http://other' };
  followed = [];
  startFakeBackEnd(files, { 'history.follow': (moved) => (followed.push(moved), {}) });
  await openRequest('a.http');
  editFile(active().id, 'mine');
});

describe('a draft whose file goes', () => {
  it('says so, keeps what was typed, and is written again', async () => {
    delete files['a.http'];
    await takeDiskChanges('c1', ['a.http']);
    expect(active()).toMatchObject({ state: 'ready', text: 'mine', gone: { movedTo: null }, error: null });
    await saveAgain(active().id);
    expect(files['a.http']).toBe('mine');
    expect(active().gone).toBeNull();
  });

  it('is written at the top where its folder is gone, too, with a body that is the file it was', async () => {
    startFakeBackEnd(files, {
      'collections.write': () => {
        throw new AppError('collections.unknown', 'There is no folder.');
      },
      'collections.create': ({ text: made }) => {
        files['a.http'] = made!;
        if (typed !== null) editFile(active().id, typed);
        return { path: 'a.http' };
      },
    });
    files['f/a.http'] = text;
    let typed: string | null = null;
    await openRequest('f/a.http');
    editFile(active().id, 'POST http://x\n\n< ./body.json\n');
    delete files['f/a.http'];
    delete files['a.http'];
    await saveAgain(active().id);
    expect(files['a.http']).toBe('POST http://x\n\n< ./f/body.json\n');
    expect(active()).toMatchObject({ path: 'a.http', text: files['a.http'], savedText: files['a.http'] });
    useRequestsStore.setState({ tabs: [{ ...active(), path: 'f/a.http', savedText: '' }] });
    delete files['a.http'];
    typed = 'POST http://x/more\n\n< ./g/body.json\n';
    await saveAgain(active().id);
    expect(active()).toMatchObject({ text: 'POST http://x/more\n\n< ./f/g/body.json\n', isStale: false });
    expect(active().savedText).toBe(files['a.http']);
  });

  it('names where the same bytes are now, and goes on there', async () => {
    files['b.http'] = text;
    delete files['a.http'];
    await takeDiskChanges('c1', ['b.http', 'a.http']);
    expect(active().gone).toEqual({ movedTo: 'b.http' });
    await goOnAt(active().id, 'b.http');
    expect(followed).toEqual([{ collectionId: 'c1', path: 'a.http', toPath: 'b.http' }]);
    expect(active()).toMatchObject({
      path: 'b.http',
      text: 'mine',
      savedText: text,
      gone: null,
      isStale: false,
    });
    await saveTab(active().id);
    expect(files).toEqual({ 'b.http': 'mine', 'other.http': 'GET http://other' });
  });

  it('still names that place when something else changes', async () => {
    files['b.http'] = text;
    delete files['a.http'];
    await takeDiskChanges('c1', ['b.http', 'a.http']);
    files['other.http'] = 'GET http://changed';
    await takeDiskChanges('c1', ['other.http']);
    expect(active().gone).toEqual({ movedTo: 'b.http' });
  });

  it('names what came in its place and is most like it, as a guess', async () => {
    const lines = ['# @name A', 'POST http://x', 'A: 1', 'B: 2', '', '{ "amount": 1 }'];
    files = { 'a.http': lines.join('\n'), 'other.http': 'GET http://other' };
    startFakeBackEnd(files);
    await openRequest('a.http');
    await takeDiskChanges('c1', ['a.http']);
    editFile(active().id, 'mine');
    delete files['a.http'];
    // One that was there, and changed alone, is no place where another went.
    files['other.http'] = `${lines.join('\n')}\n`;
    files['new/like.http'] = lines.join('\n').replace('# @name A', '# @name Like').replace('B: 2', 'C: 2');
    files['new/renamed.http'] = lines.join('\n').replace('# @name A', '# @name Renamed');
    files['new/unlike.http'] = 'GET http://elsewhere';
    const moved = ['a.http', 'other.http', 'new/like.http', 'new/renamed.http', 'new/unlike.http'];
    await takeDiskChanges('c1', moved);
    expect(active()).toMatchObject({ text: 'mine', gone: { movedTo: 'new/renamed.http', isGuess: true } });
    await takeDiskChanges('c1', ['other.http']);
    expect(active().gone).toEqual({ movedTo: 'new/renamed.http', isGuess: true });
  });

  it('says nothing any more once the file is back, whatever was told of', async () => {
    delete files['a.http'];
    await takeDiskChanges('c1', ['a.http']);
    files['a.http'] = text;
    await takeDiskChanges('c1', []);
    expect(active()).toMatchObject({ text: 'mine', gone: null });
  });

  it('names no place where two have the same bytes, nor says it of what was never saved', async () => {
    files['b.http'] = files['c.http'] = text;
    delete files['a.http'];
    await takeDiskChanges('c1', ['a.http', 'b.http', 'c.http']);
    expect(active().gone).toEqual({ movedTo: null });
    useRequestsStore.setState({ tabs: [{ ...active(), version: null, gone: null }] });
    await takeDiskChanges('c1', ['a.http']);
    expect(active().gone).toBeNull();
  });
});
