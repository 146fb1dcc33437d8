import type { MethodInput } from '@shared/contract/contract';
import { describe, expect, it } from 'vitest';
import { openRequest } from '../tree/collection-actions';
import { selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { makeExchange, refuseUnconfirmed, startFakeBackEnd, signed } from '../test-support';
import { allowProduction } from './allow-production';
import { sendRequest, sendUnsigned } from './sending-actions';

const active = () => selectActiveTab(useRequestsStore.getState())!;

describe('production', () => {
  const start = async (text: string) => {
    const sent: MethodInput<'sending.send'>[] = [];
    const send = refuseUnconfirmed((input) => {
      sent.push(input);
      return makeExchange({ reference: null });
    });
    startFakeBackEnd({ 'a.http': text }, { 'sending.send': send });
    await openRequest('a.http');
    return sent;
  };
  const question = () => {
    const asked = useRequestsStore.getState().question;
    if (asked?.kind !== 'production') throw new Error('Nothing was asked about production.');
    return asked;
  };

  it('is asked about once for each host where no money moves, and sent to when allowed', async () => {
    const sent = await start('GET {{base_url}}/a\n');
    await sendRequest(active().id);
    expect(sent).toHaveLength(0);
    expect(question()).toMatchObject({
      tabId: active().id,
      environment: 'live',
      host: '127.0.0.1:4010',
      payment: null,
    });
    expect(active()).toMatchObject({ run: null, sendError: null });
    await allowProduction(active().id, question());
    expect(sent).toHaveLength(1);
    useRequestsStore.setState({ question: null });
    await sendRequest(active().id);
    expect(sent).toHaveLength(2);
    expect(useRequestsStore.getState().question).toBeNull();
  });

  it('is asked about while the answer to an earlier request stays on show', async () => {
    await start('GET {{base_url}}/a\n');
    updateTab(active().id, { exchange: makeExchange() });
    await sendRequest(active().id);
    expect(question().host).toBe('127.0.0.1:4010');
    expect(active().exchange?.id).toBe('e1');
  });

  it.each([
    ['under its own name', signed],
    ['under another name', signed.replace('# @operation remittance', '# @operation status')],
  ])('is asked about for each payment, %s', async (_name, text) => {
    const sent = await start(text);
    await sendRequest(active().id);
    await allowProduction(active().id, question());
    expect(sent).toHaveLength(1);
    useRequestsStore.setState({ question: null });
    await sendRequest(active().id);
    expect(sent).toHaveLength(1);
    expect(question().payment).toMatchObject({ amount: '1000' });
  });

  it('keeps in mind that the payment goes without its signature', async () => {
    const sent = await start(signed);
    await sendUnsigned(active().id);
    await allowProduction(active().id, question());
    expect(sent[0]!.headers.map(([name]) => name)).toEqual(['Authorization']);
  });

  it('keeps in mind that another body may go under the same reference', async () => {
    const text = signed.replace('{{$uuid}}', 'R-1');
    const sent = await start(text);
    const { request, reading, ...rest } = makeExchange({ reference: 'R-1', operation: 'remittance' });
    const taken = { ...reading!, outcome: 'accepted' as const };
    updateTab(active().id, { exchange: { ...rest, request, reading: taken } });
    await sendRequest(active().id);
    const asked = useRequestsStore.getState().question;
    if (asked?.kind !== 'reference') throw new Error('Nothing was asked about the reference.');
    await sendRequest(active().id, true, { ...asked.how, isReuse: true });
    await allowProduction(active().id, question());
    expect(sent).toHaveLength(1);
  });

  it('is asked about again where the payment changed after the word was given', async () => {
    const sent = await start(signed);
    await sendRequest(active().id);
    const given = question();
    useRequestsStore.setState(({ tabs }) => ({
      question: null,
      tabs: tabs.map((tab) => ({ ...tab, text: tab.text.replace('1000', '9000') })),
    }));
    await allowProduction(active().id, given);
    expect(sent).toHaveLength(0);
    expect(question().payment).toMatchObject({ amount: '9000' });
  });

  it('is asked about a payment whose body is a file, which is read for the question', async () => {
    const body = '{"transaction":{"reference":"R-1","amount":7.50,"currency":"KES"}}';
    const sent: unknown[] = [];
    const send = refuseUnconfirmed((input) => {
      sent.push(input);
      return makeExchange({ reference: null });
    });
    const text = `# @operation payout\nPOST {{base_url}}/payments/v1/payouts\n\n< ./body.json\n`;
    const read = () => ({ base64: btoa(body) });
    startFakeBackEnd({ 'a.http': text }, { 'sending.send': send, 'collections.readBodyFile': read });
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(question().payment).toMatchObject({ amount: '7.50', currency: 'KES' });
    await allowProduction(active().id, question());
    expect(sent).toHaveLength(1);
  });
});
