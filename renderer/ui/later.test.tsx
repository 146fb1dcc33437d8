import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { fetchLater, fetchLaterThan, later, laterModule } from './later';

const Part = ({ name }: { name: string }) => <b>{name}</b>;
const draw = (Drawn: ComponentType<{ name: string }>): string => renderToStaticMarkup(<Drawn name="x" />);
const shortly = { timeout: 5000, interval: 10 };

it('fetches what the first view does without once that view has read what it shows, and draws it at once from then on', async () => {
  const load = vi.fn(() => Promise.resolve(Part));
  const seldom = vi.fn(() => Promise.resolve(Part));
  const loadModule = vi.fn(() => Promise.resolve('module'));
  const Later = later(load, { instead: ({ name }) => <i>{name}</i> });
  const Dialog = later(load, { instead: () => <i />, useIsAsked: ({ name }) => name !== 'x' });
  const Seldom = later(seldom, { isSeldom: true });
  laterModule(loadModule);
  let stand = (): void => undefined;
  fetchLaterThan(new Promise<void>((resolve) => (stand = resolve)));
  void fetchLater();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([load, loadModule].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  expect([draw(Later), draw(Dialog), draw(Seldom)]).toEqual(['<i>x</i>', '', '']);
  stand();
  await expect.poll(() => loadModule.mock.calls.length, shortly).toBe(1);
  await expect.poll(() => [draw(Later), draw(Dialog)], shortly).toEqual(['<b>x</b>', '<b>x</b>']);
  expect(seldom).not.toHaveBeenCalled();
});

it('asks once more for a module that could not be fetched', async () => {
  const load = vi.fn(() => Promise.resolve('module')).mockRejectedValueOnce(new Error('gone'));
  const loadModule = laterModule(load);
  await expect(loadModule()).rejects.toThrow('gone');
  await expect(loadModule()).resolves.toBe('module');
  await loadModule();
  expect(load).toHaveBeenCalledTimes(2);
});
