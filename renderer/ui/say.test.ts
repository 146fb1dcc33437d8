import { expect, it, vi } from 'vitest';
import { copyAndSay, tell } from './say';
import { showSaid } from './show-said';

vi.mock('./show-said', () => ({ showSaid: vi.fn() }));

it('says that a text was copied, or that it could not be', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await copyAndSay('a');
  await vi.waitFor(() => expect(showSaid).toHaveBeenLastCalledWith('Copied'));
  expect(writeText).toHaveBeenCalledWith('a');
  writeText.mockRejectedValueOnce(new Error('no'));
  vi.stubGlobal('HTMLElement', Map);
  vi.stubGlobal('document', {
    activeElement: null,
    body: { append: () => undefined },
    createElement: () => ({ style: {}, select: () => undefined, remove: () => undefined }),
    execCommand: () => false,
  });
  await copyAndSay('b');
  await vi.waitFor(() =>
    expect(showSaid).toHaveBeenLastCalledWith('Could not copy: the clipboard was refused'),
  );
  vi.unstubAllGlobals();
});

it('tells a screen reader alone', async () => {
  tell('Saved');
  await vi.waitFor(() => expect(showSaid).toHaveBeenLastCalledWith('Saved', false));
});
