import { beforeEach, expect, it } from 'vitest';
import { createFakeTransport } from '../transport/fake';
import { setTransport } from '../transport/client';
import { forgetEnvironment, tellRenamed, whenRenamed } from './renamed-environments';
import { readLayout, writeLayout } from './settings-store';

beforeEach(() => setTransport(createFakeTransport({ 'settings.update': () => ({}) as never })));

it('moves what the layout keeps by an environment along with its new name, once, and forgets it with a deleted one', () => {
  writeLayout('balances.every', { 'data/uat': 10, local: 60 });
  const heard: string[] = [];
  const stop = whenRenamed((from, to) => heard.push(`${from} ${to}`));
  tellRenamed({ from: 'data/uat', to: 'data/test' });
  tellRenamed({ from: 'data/uat', to: 'data/test' });
  stop();
  expect(readLayout('balances.every')).toEqual({ 'data/test': 10, local: 60 });
  expect(heard).toEqual(['data/uat data/test', 'data/uat data/test']);
  forgetEnvironment('data/test');
  expect(readLayout('balances.every')).toEqual({ local: 60 });
});
