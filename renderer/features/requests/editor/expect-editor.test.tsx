import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readInsight, selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { loadLastExchange } from '../sending/sending-actions';
import { makeExchange, startFakeBackEnd } from '../test-support';
import { openRequest } from '../tree/collection-actions';
import { ExpectEditor } from './expect-editor';

const draw = async (text: string, body: string, isBodyShortened = false): Promise<string> => {
  const kept = {
    ...makeExchange({ reference: null }),
    response: { httpStatus: 200, headers: [], body, isBodyShortened },
  };
  startFakeBackEnd(
    { 'a.http': text },
    {
      'history.list': () => ({ exchanges: [kept] as never, nextBefore: null }),
      'history.get': () => kept as never,
    },
  );
  await openRequest('a.http');
  await loadLastExchange(selectActiveTab(useRequestsStore.getState())!.id);
  const tab = selectActiveTab(useRequestsStore.getState())!;
  return renderToStaticMarkup(<ExpectEditor tab={tab} insight={readInsight(tab, null)} />);
};

it('draws what is said of thousands of expectations a page at a time', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `# @expect body a == ${index}\n`).join('');
  const html = await draw(`${lines}GET {{base_url}}/a\n`, '{"a":1}');
  expect(html.match(/<li /g)?.length).toBe(100);
  expect(html).toContain('Show 100 of 4,900 more');
});

it('shows what came as it is: turned round it would read as another value', async () => {
  const html = await draw('# @expect body a == 1\nGET {{base_url}}/a\n', '{"a":"\u202eSSECCUS"}');
  expect(html).not.toContain('\u202e');
  expect(html).toContain('[RLO]SSECCUS');
});

it.each([true, false])('says why nothing can be expected of what came: too long (%s)', async (isTooLong) => {
  const html = await draw('# @expect status 200\nGET {{base_url}}/a\n', '{"a":1}', isTooLong);
  expect(html.includes('title="The last answer is too long to be judged here')).toBe(isTooLong);
  expect(html).not.toContain('No answer has come yet');
});
