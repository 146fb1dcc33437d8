import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import {
  closeTab,
  openRequest,
  readTab,
  saveTab,
  takeDiskChanges,
  takeMissedChanges,
} from './collection-actions';
import { copyNode, deleteNode, moveNode, renameNode } from './node-actions';
import { loadNodes } from './load-tree';
import { holdNode, pasteInto } from './tree-clipboard';
import { settleConflict } from '../conflict/settle-conflict';
import { editBody, editFile, editHeaderRows, editRequestLine } from '../editor/edit-actions';
import { isDirty, selectActiveTab } from '../requests-selectors';
import { formatItemId, updateTab, useRequestsStore } from '../requests-store';
import { sendRequest } from '../sending/sending-actions';
import { keepOpen, requestClose, useClosing } from '../tabs/tab-actions';
import { startFakeBackEnd } from '../test-support';
import type { FakeHandlers } from '../../../transport/fake';

const text = '# kept\r\nPOST {{base_url}}/a\r\nX-A: 1\r\n\r\n{"a": 1.00}\r\n';
const active = () => selectActiveTab(useRequestsStore.getState())!;
const open = async (files: Record<string, string>, handlers: FakeHandlers = {}) => {
  const fake = startFakeBackEnd(files, handlers);
  await openRequest('a.http');
  return fake;
};

describe('open requests', () => {
  it('opens a file once', async () => {
    await open({ 'a.http': text, 'b.http': text });
    await openRequest('b.http');
    await openRequest('a.http');
    expect(useRequestsStore.getState().tabs).toHaveLength(2);
    expect(active().path).toBe('a.http');
  });

  it('changes only what was edited, byte for byte', async () => {
    await open({ 'a.http': text });
    editBody(active().id, '{"a": 2.00}');
    editRequestLine(active().id, { url: '{{base_url}}/b' });
    const headers = ['X-A', 'X-B'].map((name, at) => ({ name, value: String(at + 1), isEnabled: true }));
    editHeaderRows(active().id, headers, '');
    expect(active().text).toBe('# kept\r\nPOST {{base_url}}/b\r\nX-A: 1\r\nX-B: 2\r\n\r\n{"a": 2.00}\r\n');
  });

  it('says what another client would read otherwise, once it is saved, and saves it all the same', async () => {
    const files = { 'a.http': text };
    await open(files);
    const written = 'POST {{base_url}}/a\n\na\n# b\n';
    editFile(active().id, written);
    expect(active().otherReadings).toEqual([]);
    await saveTab(active().id);
    expect(active().otherReadings.map(({ line }) => line)).toEqual([4]);
    expect(files['a.http']).toBe(written);
    editFile(active().id, written.replace('# b', 'b'));
    await saveTab(active().id);
    expect(active().otherReadings).toEqual([]);
  });

  it('says that there is something to save, until it is saved or taken back', async () => {
    const files = { 'a.http': text };
    await open(files);
    expect(isDirty(active())).toBe(false);
    editFile(active().id, `${text}\n`);
    expect(isDirty(active())).toBe(true);
    await saveTab(active().id);
    expect(isDirty(active())).toBe(false);
    expect(files['a.http']).toBe(`${text}\n`);
  });

  it('writes nothing when there is nothing to save', async () => {
    const fake = await open({ 'a.http': text });
    await saveTab(active().id);
    expect(fake.calls.map(({ method }) => method)).not.toContain('collections.write');
  });

  it('shows why a file cannot be read', async () => {
    startFakeBackEnd({});
    await openRequest('gone.http');
    expect(active()).toMatchObject({ state: 'failed', error: { code: 'collections.unknown' } });
  });

  it('keeps a draft whose file is gone', async () => {
    startFakeBackEnd({});
    await openRequest('gone.http');
    await readTab(active().id, { text: 'GET http://x', version: null });
    expect(active()).toMatchObject({ state: 'ready', text: 'GET http://x' });
    expect(isDirty(active())).toBe(true);
  });

  it('takes a change on disk where nothing was typed, and keeps what was typed otherwise', async () => {
    const files = { 'a.http': text, 'b.http': text };
    await open(files);
    editFile(active().id, 'mine');
    await openRequest('b.http');
    files['a.http'] = files['b.http'] = 'GET http://disk';
    await takeDiskChanges('c2', ['b.http']);
    expect(active().text).toBe(text);
    await takeDiskChanges('c1', ['a.http', 'b.http']);
    expect(useRequestsStore.getState().tabs.map((tab) => tab.text)).toEqual(['mine', 'GET http://disk']);
  });

  it('shows what a file has on disk before the tree is read, which takes long after a large checkout', async () => {
    const files: Record<string, string> = { 'a.http': text };
    let isRead = false;
    const nodes = () =>
      vi
        .waitUntil(() => isRead)
        .then(() => ({ id: 'c1', name: 'c', directory: '/c', orderFault: null, nodes: [] }));
    await open(files, { 'collections.tree': nodes });
    files['a.http'] = 'GET http://theirs';
    const taken = takeDiskChanges('c1', ['a.http', 'b.http']);
    await vi.waitUntil(() => active().text !== text, 500).catch(() => undefined);
    const shown = active().text;
    isRead = true;
    await taken;
    expect(shown).toBe('GET http://theirs');
  });

  it('keeps the request on show where a change on disk puts another before it, and no other in its place', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => `### ${name}\nGET http://h/${name}\n\n`);
    const files = { 'a.http': `${one}${two}` };
    const fake = await open(files);
    updateTab(active().id, { requestIndex: 1 });
    const change = async (next: string): Promise<number> => {
      files['a.http'] = next;
      await takeDiskChanges('c1', ['a.http']);
      expect(active().text).toBe(next);
      return active().requestIndex;
    };
    updateTab(active().id, { run: { sendId: 's', requestIndex: 0 } });
    expect(await change(`${three}${one}${two}`)).toBe(2);
    expect(active().run?.requestIndex).toBe(1);
    updateTab(active().id, { run: null });
    expect(await change(`${two}${three}`)).toBe(0);
    expect(await change(`${one}${three}`)).toBe(-1);
    expect(active().lost?.identity).toBe('two');
    await sendRequest(active().id);
    expect(fake.calls.map(({ method }) => method)).not.toContain('sending.send');
    expect(await change('')).toBe(-1);
    expect(await change(`${one}${two!.replace('### two', '### zwei')}`)).toBe(1);
    expect(active().lost).toBeNull();
    expect(await change(`${one}${three}${two}`)).toBe(2);
    editFile(active().id, `${one}`);
    files['a.http'] = `${two}${one}`;
    await takeDiskChanges('c1', ['a.http']);
    await saveTab(active().id);
    await settleConflict(active().id, 'theirs');
    expect([active().text, active().requestIndex]).toEqual([`${two}${one}`, 1]);
  });

  it('keeps what is typed while a change on disk is being read, and tells of the change', async () => {
    const files: Record<string, string> = { 'a.http': text };
    const { handlers } = await open(files);
    const read = handlers['collections.read']!;
    handlers['collections.read'] = (input) => {
      editFile(active().id, 'mine');
      return read(input);
    };
    files['a.http'] = 'GET http://disk';
    await takeDiskChanges('c1', ['a.http']);
    expect(active()).toMatchObject({ text: 'mine', savedText: text, isStale: true });
  });

  it('says no more that its folder is away once that is back', async () => {
    const { handlers } = await open({ 'a.http': text });
    editFile(active().id, 'mine');
    const write = handlers['collections.write']!;
    handlers['collections.write'] = () => {
      throw new AppError('collections.missing', 'Its folder is not there.');
    };
    await saveTab(active().id);
    handlers['collections.write'] = write;
    expect(active().error?.code).toBe('collections.missing');
    await takeDiskChanges('c1', []);
    expect(active()).toMatchObject({ text: 'mine', error: null });
  });

  it('never goes back to what an overtaken answer tells of the file', async () => {
    const files: Record<string, string> = { 'a.http': text };
    const { handlers } = await open(files);
    const read = handlers['collections.read']!;
    const answers: (() => void)[] = [];
    handlers['collections.read'] = async (input) => {
      const answer = await read(input);
      await new Promise<void>((resolve) => answers.push(resolve));
      return answer;
    };
    const late = takeDiskChanges('c1', ['a.http']);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    editFile(active().id, 'mine');
    files['a.http'] = 'GET http://disk';
    const early = takeDiskChanges('c1', ['a.http']);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!();
    await early;
    expect(active().isStale).toBe(true);
    answers[0]!();
    await late;
    expect(active()).toMatchObject({ text: 'mine', isStale: true });
  });

  it('takes a change that came while the file was being opened', async () => {
    const files: Record<string, string> = { 'a.http': text };
    const { handlers } = startFakeBackEnd(files);
    const read = handlers['collections.read']!;
    let change: Promise<void> | null = null;
    handlers['collections.read'] = async (input) => {
      const answer = await read(input);
      if (change === null) {
        files['a.http'] = 'GET http://disk';
        change = takeDiskChanges('c1', ['a.http']);
        await change;
      }
      return answer;
    };
    await openRequest('a.http');
    expect(active().text).toBe('GET http://disk');
  });

  it('takes what changed in a folder that was put in the place of another, and all that was missed', async () => {
    const files: Record<string, string> = { 'f/a.http': text, 'fa.http': text };
    startFakeBackEnd(files);
    await openRequest('fa.http');
    await openRequest('f/a.http');
    files['f/a.http'] = files['fa.http'] = 'GET http://disk';
    const texts = () => useRequestsStore.getState().tabs.map((tab) => tab.text);
    await takeDiskChanges('c1', ['f']);
    expect(texts()).toEqual([text, 'GET http://disk']);
    await takeMissedChanges();
    expect(texts()).toEqual(['GET http://disk', 'GET http://disk']);
  });

  it('shows the neighbour when a tab is closed', async () => {
    await open({ 'a.http': text, 'b.http': text });
    await openRequest('b.http');
    closeTab(active().id);
    expect(active().path).toBe('a.http');
  });

  it('has a draft before its file is read: closing its tab asks, and what is typed meanwhile stays', async () => {
    startFakeBackEnd({ 'a.http': text });
    const draft = { text: 'GET http://typed', version: 'old', base: text };
    const opened = openRequest('a.http', { draft });
    const { id } = active();
    requestClose([id]);
    expect(useClosing.getState().ids).toEqual([id]);
    keepOpen();
    editFile(id, 'GET http://typed/more');
    await opened;
    expect(active()).toMatchObject({ id, text: 'GET http://typed/more', state: 'ready', isStale: true });
    expect(isDirty(active())).toBe(true);
  });

  it('keeps a tab through a rename and shuts it after a delete', async () => {
    await open({ 'a.http': text });
    const { id } = active();
    const node = { collectionId: 'c1', path: 'a.http', name: 'a' };
    await renameNode(node, 'z');
    expect(active()).toMatchObject({ id, path: 'z.http', title: 'z' });
    await deleteNode({ ...node, path: 'z.http', name: 'z' });
    expect(useRequestsStore.getState().tabs).toEqual([]);
  });

  it('has the keyboard go on beside what was deleted while it was on show, wherever the next tab is', async () => {
    await open({ 'a.http': text, 'b.http': text, 'c.http': text });
    await loadNodes('c1');
    const remove = async (name: string): Promise<string | undefined> => {
      await deleteNode({ collectionId: 'c1', path: `${name}.http`, name });
      return useRequestsStore.getState().ledTo?.id;
    };
    await openRequest('b.http');
    expect([await remove('b'), active().path]).toEqual([formatItemId('c1', 'c.http'), 'a.http']);
    await openRequest('c.http');
    expect(await remove('c')).toBe(formatItemId('c1', 'a.http'));
  });
});

describe('what was typed and not saved', () => {
  const named = `# @name a\r\n${text}`;

  it('goes on over the name that its file got with it, and is saved without a question', async () => {
    const files: Record<string, string> = { 'a.http': named };
    await open(files);
    editBody(active().id, '{"a": 2.00}');
    await renameNode({ collectionId: 'c1', path: 'a.http', name: 'a' }, 'z');
    expect(active()).toMatchObject({ isStale: false, savedText: files['z.http'] });
    await saveTab(active().id);
    expect(active().conflict).toBeNull();
    expect(files['z.http']).toBe(named.replace('name a', 'name z').replace('1.00', '2.00'));
  });

  it('keeps a name that was typed, and what somebody else wrote stays a conflict', async () => {
    const files: Record<string, string> = { 'a.http': named };
    await open(files);
    editFile(active().id, named.replace('name a', 'name typed'));
    await renameNode({ collectionId: 'c1', path: 'a.http', name: 'a' }, 'z');
    expect(active()).toMatchObject({ text: named.replace('name a', 'name typed'), isStale: false });
    files['z.http'] = 'theirs';
    await renameNode({ collectionId: 'c1', path: 'z.http', name: 'z' }, 'y');
    await saveTab(active().id);
    expect(active().conflict).toMatchObject({ text: 'theirs' });
  });
});

describe('what was typed in a request that goes to another folder', () => {
  const body = (path: string, more = '') => `POST http://x\n\n[\n< ${path}\n${more}]\n`;

  it.each([
    ['< ./y.json', body('./x.json', '< ./y.json\n'), body('../x.json', '< ../y.json\n')],
    ['no file any more', text, text],
  ])(
    'leads to the files that it led to, and is saved without a question: %s',
    async (_what, typed, saved) => {
      const files: Record<string, string> = { 'a.http': body('./x.json') };
      await open(files, {
        'collections.move': () => {
          files['f/a.http'] = body('../x.json');
          delete files['a.http'];
          return { path: 'f/a.http' };
        },
      });
      editFile(active().id, typed);
      const node = { collectionId: 'c1', path: 'a.http', name: 'a' };
      await moveNode(node, { collectionId: 'c1', folder: 'f' });
      expect(active()).toMatchObject({ isStale: false, savedText: body('../x.json') });
      await saveTab(active().id);
      expect([active().conflict, files['f/a.http']]).toEqual([null, saved]);
    },
  );
});

describe('what was typed in a request that names a body in a folder', () => {
  const body = (path: string, more = '') => `POST http://x\n\n[\n< ${path}\n${more}]\n`;

  it('leads there once the folder has another name, and is saved without a question', async () => {
    const files: Record<string, string> = {
      'a.http': body('./f/x.json'),
      'b.http': body('./f/z.json'),
    };
    await open(files, {
      'collections.rename': () => {
        files['a.http'] = body('./g/x.json');
        return { path: 'g' };
      },
    });
    editFile(active().id, body('./f/x.json', '< ./f/y.json\n'));
    await openRequest('b.http');
    files['b.http'] = body('./g/z.json');
    await renameNode({ collectionId: 'c1', path: 'f', name: 'f' }, 'g');
    // Nobody typed in it: it has the new text, though nothing watches its folder.
    expect(active()).toMatchObject({ path: 'b.http', text: body('./g/z.json') });
    await openRequest('a.http');
    expect(active()).toMatchObject({ isStale: false, savedText: body('./g/x.json') });
    await saveTab(active().id);
    expect([active().conflict, files['a.http']]).toEqual([null, body('./g/x.json', '< ./g/y.json\n')]);
  });

  it('is saved without a question where the rename was undone, and its file has again what was written there', async () => {
    const files: Record<string, string> = { 'a.http': body('f/x.json') };
    const leads = ['./g/x.json', 'f/x.json'];
    await open(files, {
      'collections.rename': ({ name }) => {
        files['a.http'] = body(leads.shift()!);
        return { path: name };
      },
    });
    editFile(active().id, body('f/x.json', '1\n'));
    await renameNode({ collectionId: 'c1', path: 'f', name: 'f' }, 'g');
    await renameNode({ collectionId: 'c1', path: 'g', name: 'g' }, 'f');
    expect(active()).toMatchObject({ isStale: false, savedText: body('f/x.json') });
    await saveTab(active().id);
    expect([active().conflict, files['a.http']]).toEqual([null, body('./f/x.json', '1\n')]);
  });
});

describe('a request that goes to another collection', () => {
  it('says which files of bodies are in the other one than their requests, moved or copied', async () => {
    const files: Record<string, string> = { 'a.http': text };
    const put = (leftBodies?: { bodies: string[]; requests: string[] }) => () => {
      files['f/b.http'] = text;
      return { path: 'f/b.http', ...(leftBodies && { leftBodies }) };
    };
    const { handlers } = await open(files, {});
    const said = () => useRequestsStore.getState().treeNotice?.message;
    const node = { collectionId: 'c1', path: 'a.http', name: 'a' };
    const to = { collectionId: 'c2', folder: 'f' };
    const left =
      ' The file of its body stays where it was, and is not sent from here: copy it into this collection, and name it instead of ../x.json.';
    handlers['collections.move'] = put({ bodies: ['../x.json'], requests: [] });
    await moveNode(node, to);
    expect(said()).toBe(`Moved “a”.${left}`);
    handlers['collections.copy'] = put({ bodies: ['../x.json'], requests: [] });
    await copyNode(node, to);
    expect(said()).toBe(`Copied “a”.${left}`);
    handlers['collections.move'] = put({ bodies: ['../x.json', '../y.json'], requests: ['b.http'] });
    await moveNode(node, to);
    expect(said()).toBe(
      'Moved “a”. Files of its bodies stay where they were, and are not sent from here: copy them into this collection, and name them instead of ../x.json, ../y.json.' +
        ' Requests that stay name files in it, which are not sent from there any more: b.http.',
    );
    handlers['collections.move'] = put();
    await moveNode(node, to);
    expect(said()).toBe('Moved “a”.');
  });
});

describe('a conflict', () => {
  const conflict = async () => {
    const files: Record<string, string> = { 'a.http': text };
    await open(files);
    editFile(active().id, 'mine');
    files['a.http'] = 'theirs';
    await saveTab(active().id);
    return files;
  };

  it('keeps both texts and overwrites nothing', async () => {
    const files = await conflict();
    expect(files['a.http']).toBe('theirs');
    expect(active()).toMatchObject({ text: 'mine', conflict: { text: 'theirs' } });
  });

  it('overwrites only when told to', async () => {
    const files = await conflict();
    await settleConflict(active().id, 'mine');
    expect(files['a.http']).toBe('mine');
    expect(active().conflict).toBeNull();
  });

  it('saves ours beside the file', async () => {
    const files = await conflict();
    await settleConflict(active().id, 'copy');
    expect(files).toMatchObject({ 'a.http': 'theirs', 'a (mine).http': 'mine' });
  });

  it('takes the file on disk', async () => {
    await conflict();
    await settleConflict(active().id, 'theirs');
    expect(active()).toMatchObject({ text: 'theirs', savedText: 'theirs', conflict: null });
  });
});

it('puts the copy of a folder beside it where the folder itself is still the one chosen', async () => {
  const copied: unknown[] = [];
  startFakeBackEnd(
    {},
    {
      'collections.copy': (input) => {
        copied.push(input);
        return { path: 'f/sub copy' };
      },
    },
  );
  holdNode({ collectionId: 'c1', path: 'f/sub', name: 'sub' }, false);
  await pasteInto({ collectionId: 'c1', folder: 'f/sub' });
  await pasteInto({ collectionId: 'c1', folder: 'g' });
  expect(copied).toMatchObject([{ toFolder: 'f' }, { toFolder: 'g' }]);
});
