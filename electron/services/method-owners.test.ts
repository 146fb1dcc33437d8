import { expect, it } from 'vitest';
import { createNodePorts } from '../platform/node-ports';
import { makers } from './capabilities';
import { createServices } from './create-services';
import { requireOwn } from './method-owners';

it('refuses a service that defines a method of another', () => {
  expect(() => requireOwn('inbox', { 'inbox.list': () => ({}), 'history.list': () => ({}) })).toThrow(
    "'inbox' defines history.list, which belongs to 'history'. One method has one owner.",
  );
  expect(() => requireOwn('inbox', { 'inbox.list': () => ({}), 'listener.start': () => ({}) })).not.toThrow();
  expect(() => requireOwn('inbox', { 'constructor.list': () => ({}) })).toThrow("belongs to 'nobody'");
});

it('refuses it at the start of the app already', async () => {
  const services = createServices(createNodePorts({ host: 'web', dataDirectory: null, version: '' }));
  const { journey } = makers;
  try {
    Object.assign(makers, { journey: async () => ({ handlers: { 'history.list': () => ({}) } }) });
    await expect(services.start()).rejects.toThrow('One method has one owner.');
  } finally {
    Object.assign(makers, { journey });
    await services.close();
  }
});

it('makes nothing before it is asked', async () => {
  const opened: string[] = [];
  const ports = createNodePorts({ host: 'cli', dataDirectory: null, version: '' });
  const services = createServices({
    ...ports,
    openSettings() {
      opened.push('settings');
      return ports.openSettings();
    },
  });
  await services.router.dispatch('history.list', {});
  expect(opened).toEqual([]);
  await services.router.dispatch('settings.get', {});
  await services.router.dispatch('environments.list', {});
  expect(opened).toEqual(['settings']);
  await services.close();
});
