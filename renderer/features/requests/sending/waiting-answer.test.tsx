import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Verdict } from '../response/verdict';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { loadLastExchange } from './sending-actions';

const active = () => selectActiveTab(useRequestsStore.getState())!;

it('is not called an answer in a page that was loaded while it is waited for, and shows as soon as it is there', async () => {
  let kept = makeExchange({ reference: null });
  startFakeBackEnd(
    { 'a.http': 'GET {{base_url}}/a\n' },
    {
      'history.list': () => ({ exchanges: [kept] as never, nextBefore: null }),
      'history.get': () => kept,
    },
  );
  const show = async () => {
    await loadLastExchange(active().id);
    return renderToStaticMarkup(<Verdict tab={active()} exchange={active().exchange!} />);
  };
  await openRequest('a.http');
  const waiting = await show();
  expect(waiting).toContain('No answer yet');
  expect(waiting).not.toContain('Answered');
  kept = { ...kept, response: { httpStatus: 204 } as never };
  const answered = await show();
  expect(answered).toContain('Answered');
  expect(answered).toContain('204');
});
