import type { WebhookSummary } from '@shared/contract/inbox';
import { AppError } from '@shared/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useInboxStore } from './inbox-store';
import { makeWebhookSummary } from '../../../test/support/webhook-summary';

function row(id: string, change: Partial<WebhookSummary> = {}): WebhookSummary {
  return makeWebhookSummary({
    id,
    status: 'SUCCESS',
    amount: '1',
    clientReference: id,
    webhookId: `wh-${id}`,
    ...change,
  });
}

const detailOf = (id: string) => ({
  ...row(id),
  verdictReason: null,
  headers: [],
  body: '{}',
  bodyBase64: 'e30=',
  isBodyCut: false,
  paymentReference: null,
  code: null,
  answeredInMs: 3,
  remoteAddress: null,
  remarks: [],
});

const initial = useInboxStore.getInitialState();
let fake: FakeTransport;
let stop = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  useInboxStore.setState(initial, true);
  fake = createFakeTransport({
    'inbox.list': ({ before, search }) => ({
      webhooks: search ? [row('found')] : before ? [row('a')] : [row('c'), row('b')],
      nextBefore: before || search ? null : 'b',
      totalCount: 3,
      unreadCount: 3,
    }),
    'inbox.get': ({ id }) => detailOf(id),
    'inbox.markRead': () => ({ unreadCount: 2, foundCount: 1 }),
    'inbox.delete': () => ({ deletedCount: 1 }),
    'listener.status': () => ({
      id: 'main',
      state: 'running',
      url: 'http://127.0.0.1:4020',
      message: null,
      isStoring: true,
      rule: { respondStatus: 200, delayMs: 0 },
      ruleCount: 0,
      notTaken: null,
    }),
  });
  setTransport(fake);
});

afterEach(() => {
  stop();
  stop = () => undefined;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const state = () => useInboxStore.getState();
const ids = (): string[] => state().rows.map((one) => one.id);

async function begin(): Promise<void> {
  stop = state().start();
  await vi.runAllTimersAsync();
}

/** Chooses a row as one does: not a moment after another. */
async function select(id: string): Promise<void> {
  const shown = state().select(id);
  await vi.advanceTimersByTimeAsync(200);
  await shown;
  await vi.advanceTimersByTimeAsync(200);
}

describe('inbox store', () => {
  it('follows what another window, or a command, does: marks at once, a deletion, and either when it comes to the front', async () => {
    const inFront = new EventTarget();
    vi.stubGlobal('window', inFront);
    await begin();
    await select('c');
    const list = (...webhooks: WebhookSummary[]) => {
      const page = { webhooks, nextBefore: null, totalCount: webhooks.length, unreadCount: 2 };
      fake.handlers['inbox.list'] = () => page;
    };
    list(row('c', { isPinned: true, note: 'mine' }), row('b'));
    fake.emit('inbox.changed', { unreadCount: 2, isMarked: true });
    await vi.advanceTimersByTimeAsync(500);
    expect(state().rows[0]).toMatchObject({ isPinned: true });
    expect(state().detail).toMatchObject({ isPinned: true, note: 'mine' });
    list(row('c'), row('b', { tags: ['t'] }));
    inFront.dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(500);
    expect(state().rows[1]).toMatchObject({ tags: ['t'] });
    list(row('b'));
    fake.emit('inbox.changed', { unreadCount: 2, isPruned: true });
    await vi.advanceTimersByTimeAsync(500);
    expect(ids()).toEqual(['b']);
    expect(state()).toMatchObject({ detail: null, selectedId: null, detailError: { code: 'inbox.unknown' } });
  });

  it('shows what came while the events were lost, once they are heard again', async () => {
    const stop = useInboxStore.getState().start();
    await vi.advanceTimersByTimeAsync(1000);
    const ids = (): string[] => useInboxStore.getState().rows.map(({ id }) => id);
    expect(ids()).toEqual(['c', 'b']);
    fake.handlers['inbox.list'] = () => ({
      webhooks: [row('d'), row('c'), row('b')],
      nextBefore: 'b',
      totalCount: 4,
      unreadCount: 4,
    });
    fake.setConnection('offline');
    await vi.advanceTimersByTimeAsync(1000);
    expect(ids()).toEqual(['c', 'b']);
    fake.setConnection('online');
    await vi.advanceTimersByTimeAsync(1000);
    expect(ids()).toEqual(['d', 'c', 'b']);
    stop();
    fake.handlers['inbox.list'] = () => expect.unreachable('nobody follows any more');
    fake.setConnection('offline');
    fake.setConnection('online');
    await vi.advanceTimersByTimeAsync(1000);
  });

  it('takes back that nothing answers once it does: of the list, and of the webhook on show', async () => {
    const { 'inbox.list': list, 'inbox.get': get } = fake.handlers;
    const fail = (): never => {
      throw new AppError('app.unreachable', 'The back end does not answer.');
    };
    Object.assign(fake.handlers, { 'inbox.list': fail, 'inbox.get': fail });
    stop = useInboxStore.getState().start();
    void state().select('b');
    await vi.advanceTimersByTimeAsync(1000);
    expect(state()).toMatchObject({ phase: 'failed', detailPhase: 'failed' });
    Object.assign(fake.handlers, { 'inbox.list': list, 'inbox.get': get });
    fake.setConnection('offline');
    fake.setConnection('online');
    await vi.advanceTimersByTimeAsync(1000);
    expect(state()).toMatchObject({ phase: 'ready', error: null, detailPhase: 'ready', detailError: null });
  });

  it('loads the newest page and pages on from its last row', async () => {
    await begin();
    expect(ids()).toEqual(['c', 'b']);
    await state().loadMore();
    expect(ids()).toEqual(['c', 'b', 'a']);
    expect(state().nextBefore).toBeNull();
    expect(state().listener?.state).toBe('running');
  });

  it('looks into the signature of the webhook on show, and forgets it with the next one', async () => {
    await begin();
    await select('b');
    const explained = {
      verdict: 'invalid' as const,
      reason: 'Signed over the body.',
      keyIndex: 0,
      causes: [],
    };
    let answer = (): void => undefined;
    fake.handlers['inbox.explainSignature'] = () =>
      new Promise((resolve) => (answer = () => resolve(explained)));
    const looking = state().explainSignature();
    await vi.advanceTimersByTimeAsync(1);
    expect(state().explained).toBe('looking');
    answer();
    await looking;
    expect(state().explained).toEqual(explained);
    const late = state().explainSignature();
    await vi.advanceTimersByTimeAsync(1);
    await select('c');
    answer();
    await late;
    expect(state()).toMatchObject({ selectedId: 'c', explained: null });
  });

  it('puts no webhook beside another one than it was to stand beside, and the last one of two', async () => {
    await begin();
    await select('b');
    const answers: (() => void)[] = [];
    fake.handlers['inbox.get'] = ({ id }) =>
      new Promise((resolve) => answers.push(() => resolve(detailOf(id))));
    const both = [state().compareWith('a'), state().compareWith('c')];
    await vi.advanceTimersByTimeAsync(1);
    answers[1]!();
    answers[0]!();
    await Promise.all(both);
    expect(state().compared?.id).toBe('c');
    const late = state().compareWith('a');
    await vi.advanceTimersByTimeAsync(1);
    fake.handlers['inbox.get'] = ({ id }) => detailOf(id);
    await select('c');
    answers[2]!();
    await late;
    expect(state()).toMatchObject({ selectedId: 'c', compared: null });
  });

  it('puts live webhooks on top, newest first, and leaves the selection where it is', async () => {
    await begin();
    await select('b');
    fake.emit('inbox.received', { webhooks: [row('d'), row('e')], count: 2, unreadCount: 5 });
    expect(ids()).toEqual(['e', 'd', 'c', 'b']);
    expect(state()).toMatchObject({ selectedId: 'b', totalCount: 5, unreadCount: 5 });
  });

  it('counts a webhook once that its first page had and an event tells of later', async () => {
    await begin();
    const { totalCount } = state();
    fake.emit('inbox.received', { webhooks: [row('c'), row('d')], count: 2, unreadCount: 4 });
    expect(ids()).toEqual(['d', 'c', 'b']);
    expect(state().totalCount).toBe(totalCount + 1);
  });

  it('reads the newest page again when an event holds only part of a burst', async () => {
    await begin();
    fake.handlers['inbox.list'] = () => ({
      webhooks: [row('z'), row('c')],
      nextBefore: 'c',
      totalCount: 900,
      unreadCount: 900,
    });
    fake.emit('inbox.received', { webhooks: [row('z')], count: 500, unreadCount: 900 });
    await vi.runAllTimersAsync();
    expect(ids()).toEqual(['z', 'c', 'b']);
    expect(state().totalCount).toBe(900);
  });

  it('searches once typing pauses, and keeps only the last answer', async () => {
    await begin();
    state().setSearch('f');
    state().setSearch('fo');
    await vi.runAllTimersAsync();
    expect(ids()).toEqual(['found']);
    expect(fake.calls.filter((one) => (one.input as { search?: string }).search).length).toBe(1);
  });

  it('leaves on show that nothing was found while it asks again, and says so of what was asked alone', async () => {
    fake.handlers['inbox.list'] = () => ({ webhooks: [], nextBefore: null, totalCount: 0, unreadCount: 0 });
    await begin();
    const phases: string[] = [];
    const stopWatching = useInboxStore.subscribe(({ phase }) => phases.push(phase));
    state().setSearch('fo');
    expect(state().answered).toEqual({ search: '', filter: 'all' });
    await vi.runAllTimersAsync();
    expect(state().answered).toEqual({ search: 'fo', filter: 'all' });
    stopWatching();
    expect(new Set(phases)).toEqual(new Set(['ready']));
  });

  it('marks read on selection, and takes the mark back where the back end refuses', async () => {
    await begin();
    await select('b');
    expect(state().rows[1]?.isRead).toBe(true);
    expect(state().unreadCount).toBe(2);
    fake.handlers['inbox.markRead'] = () => Promise.reject(new Error('no'));
    await state().markRead(['b'], false);
    expect(state().rows[1]?.isRead).toBe(true);
    expect(state().error).not.toBeNull();
  });

  it('writes a note over no note that it has not shown: of what somebody else wrote meanwhile it is told first', async () => {
    const sent: object[] = [];
    fake.handlers['inbox.mark'] = (input) => (sent.push(input), { changedCount: 1 });
    await begin();
    await select('b');
    fake.handlers['inbox.get'] = ({ id }) => ({ ...detailOf(id), note: 'of ben', tags: ['urgent'] });
    expect(await state().mark('b', { note: 'of ann' })).toBe(false);
    expect(state().detail).toMatchObject({ note: 'of ben', tags: ['urgent'] });
    expect(sent).toEqual([]);
    expect(await state().mark('b', { note: 'of both' })).toBe(true);
    expect(sent).toEqual([{ store: 'local', ids: ['b'], note: 'of both' }]);
  });

  it('moves to the next row after deleting the one on show', async () => {
    await begin();
    await select('c');
    await state().remove(['c']);
    expect(ids()).toEqual(['b']);
    expect(state().selectedId).toBe('b');
  });

  it('finds the attempts with the same webhook-id', async () => {
    await begin();
    await select('b');
    fake.handlers['inbox.list'] = ({ filter }) => ({
      webhooks: filter === 'webhook_id == "wh-b"' ? [row('b'), row('old', { webhookId: 'wh-b' })] : [],
      nextBefore: null,
      totalCount: 3,
      unreadCount: 0,
    });
    await state().loadAttempts();
    expect(state().attempts?.map((one) => one.id)).toEqual(['old']);
  });

  it('shows why a page could not be read', async () => {
    fake.handlers['inbox.list'] = () => Promise.reject(new Error('broken'));
    await begin();
    expect(state().phase).toBe('failed');
    expect(state().error?.code).toBe('app.internal');
  });

  it('takes back why the list could not be read once it can be, and not why a mark was refused', async () => {
    const list = fake.handlers['inbox.list']!;
    const refuse = () => Promise.reject(new AppError('store.busy', 'The inbox is busy.'));
    fake.handlers['inbox.list'] = refuse;
    await begin();
    expect(state()).toMatchObject({ phase: 'failed', error: { code: 'store.busy' } });
    fake.handlers['inbox.list'] = list;
    fake.emit('inbox.received', { webhooks: [row('c')], count: 2, unreadCount: 3 });
    await vi.advanceTimersByTimeAsync(300);
    expect(ids()).toEqual(['c', 'b']);
    expect(state()).toMatchObject({ phase: 'ready', error: null });
    fake.handlers['inbox.markRead'] = refuse;
    await state().markRead(['b'], true);
    fake.emit('inbox.received', { webhooks: [], count: 2, unreadCount: 3 });
    await vi.advanceTimersByTimeAsync(300);
    expect(state().error?.code).toBe('store.busy');
  });

  it('keeps the rule in force when a change is refused', async () => {
    await begin();
    fake.handlers['listener.setRule'] = () => Promise.reject(new Error('no'));
    expect(await state().setRule({ respondStatus: 500, delayMs: 0 })).toBe(false);
    expect(state().listener?.rule.respondStatus).toBe(200);
    expect(state().listenerError).not.toBeNull();
  });

  it('goes back to no earlier state of the listener where its answer comes after the event', async () => {
    await begin();
    const running = state().listener!;
    let answer = (): void => undefined;
    fake.handlers['listener.status'] = () =>
      new Promise((resolve) => (answer = () => resolve({ ...running, state: 'starting' })));
    fake.setConnection('offline');
    fake.setConnection('online');
    await vi.advanceTimersByTimeAsync(0);
    fake.emit('listener.changed', { ...running, message: 'now' });
    fake.emit('listener.changed', { ...running, id: 'second', state: 'stopped' });
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({ listener: { ...running, message: 'now' }, isListenerBusy: false });
  });
});
