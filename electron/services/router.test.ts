import { describe, expect, it } from 'vitest';
import type { Handlers } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { createRouter } from './router';

const lines: unknown[] = [];
const logger = { log: (...entry: unknown[]) => void lines.push(entry) };
const build = (
  handlers: Partial<Record<string, (input: never) => unknown>>,
  host: 'electron' | 'web' | 'cli' = 'web',
) => createRouter({ findHandlers: async () => handlers as Partial<Handlers>, host, logger });

describe('router', () => {
  it('fills in defaults before a handler sees the input', async () => {
    let seen: unknown;
    const router = build({
      'inbox.list': (input) => (
        (seen = input),
        { webhooks: [], nextBefore: null, totalCount: 0, unreadCount: 0 }
      ),
    });
    await router.dispatch('inbox.list', {});
    expect(seen).toEqual({ store: 'local', limit: 100, before: null, search: '', filter: 'all' });
  });

  it('refuses input that the schema does not allow, and names the field', async () => {
    const reply = await build({ 'inbox.list': () => ({}) }).dispatch('inbox.list', { limit: -1 });
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'app.bad_input', details: { fields: [{ field: 'limit' }] } },
    });
  });

  it('refuses names that only the prototype has', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'no.such']) {
      expect(await build({}).dispatch(name, {})).toMatchObject({
        ok: false,
        error: { code: 'app.unknown_method' },
      });
    }
  });

  it('refuses a method that the host does not offer', async () => {
    const reply = await build({ 'keys.exportPrivate': () => ({ encryptedPem: 'x' }) }, 'web').dispatch(
      'keys.exportPrivate',
      {},
    );
    expect(reply).toMatchObject({ ok: false, error: { code: 'app.not_on_this_host' } });
  });

  it('cuts fields off that the output schema does not name', async () => {
    const router = build({ 'inbox.delete': () => ({ deletedCount: 1, secret: 'do not show' }) });
    expect(await router.dispatch('inbox.delete', { ids: [] })).toEqual({
      ok: true,
      value: { deletedCount: 1 },
    });
  });

  it('says that the program was replaced where a part of it is not there any more', async () => {
    const router = build({ 'inbox.get': () => import(`./${'gone-with-an-update'}.js`) });
    const reply = await router.dispatch('inbox.get', { id: 'x' });
    expect(reply).toMatchObject({ ok: false, error: { code: 'app.replaced', retryable: false } });
    expect(JSON.stringify(reply)).not.toContain('gone-with');
  });

  it('passes on the four fields of an AppError and nothing of its cause', async () => {
    const router = build({
      'inbox.get': () => {
        throw new AppError('inbox.unknown', 'No such webhook.', { cause: new Error('/secret/path') });
      },
    });
    const reply = await router.dispatch('inbox.get', { id: 'x' });
    expect(reply).toEqual({
      ok: false,
      error: { code: 'inbox.unknown', message: 'No such webhook.', details: {}, retryable: false },
    });
  });

  it('tells nothing about an unforeseen failure, and logs it', async () => {
    const router = build({
      'inbox.get': () => {
        throw new TypeError('secret inside');
      },
    });
    const reply = await router.dispatch('inbox.get', { id: 'x' });
    expect(JSON.stringify(reply)).not.toContain('secret inside');
    expect(reply).toMatchObject({ ok: false, error: { code: 'app.internal' } });
    expect(JSON.stringify(lines)).toContain('secret inside');
  });
});
