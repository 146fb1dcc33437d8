import { beforeEach, expect, it } from 'vitest';
import { useAskedImport } from '../../../session/asked-import';
import { findTab, updateTab, useRequestsStore, type OpenTab } from '../requests-store';
import { takeCommand } from './take-command';

const before = '### Old\nGET https://old.example/\n';
const curl = "curl https://new.example/x -H 'Authorization: Bearer abc.def.ghi'";

beforeEach(() => {
  const tab: Partial<OpenTab> = {
    id: 't',
    collectionId: 'c',
    state: 'ready',
    text: before,
    requestIndex: 0,
    subTab: 'body',
    dynamicRound: 0,
    exchange: null,
  };
  useRequestsStore.setState({ tabs: [tab as OpenTab], treeNotice: null });
});

it('says which credentials of a command are left out, for as long as the request is that of the command', async () => {
  await takeCommand('t', curl);
  expect(findTab('t')?.text).toContain('https://new.example/x');
  const said = (): string | undefined => useRequestsStore.getState().treeNotice?.message;
  expect(said()).toContain('give {{bearer_token}} a value');
  updateTab('t', { text: `${findTab('t')!.text}# more\n` });
  expect(said()).toBeDefined();
  updateTab('t', { text: before });
  expect(said()).toBeUndefined();
});

it('gives a payment that is signed a token and a signature of its own, and asks for no value', async () => {
  const bearer = "-H 'Authorization: Bearer abc.def.ghi'";
  const signed = `curl http://127.0.0.1:4010/payments/v1/payouts ${bearer} -H 'X-Custom-Signature: QUJD' -d '{}'`;
  await takeCommand('t', signed);
  expect(findTab('t')?.text).toContain('Authorization: Bearer {{token.payout}}');
  expect(findTab('t')?.text).toContain('X-Custom-Signature: {{signature}}');
  expect(useRequestsStore.getState().treeNotice?.message).not.toContain('bearer_token');
  await takeCommand('t', signed.replace('payouts', 'elsewhere'));
  expect(findTab('t')?.text).not.toContain('{{token.');
});

it('leaves what is said of something else where it stands', async () => {
  await takeCommand('t', curl);
  const other = { message: 'Deleted', error: null, canUndo: true };
  useRequestsStore.setState({ treeNotice: other });
  useRequestsStore.setState({ tabs: [] });
  expect(useRequestsStore.getState().treeNotice).toBe(other);
});

it('asks to import a command that is too long to be read in the window', async () => {
  const long = `${curl} -d '${'a'.repeat(200_000)}'`;
  await takeCommand('t', long);
  expect(findTab('t')?.text).toBe(before);
  expect(useAskedImport.getState().asked?.source).toMatchObject({ kind: 'text', text: long });
});
