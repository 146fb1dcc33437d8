import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';
import { beforeEach, expect, it } from 'vitest';
import { noteUnsaved, readUnsaved } from '../../session/unsaved';
import { deleteHere, keepTyped } from './keep-typed';

const uat: Environment = {
  id: 'data/uat',
  name: 'uat',
  label: 'uat',
  kind: 'sandbox',
  baseUrl: 'https://uat.example.com',
  variables: { base_url: 'https://uat.example.com', amount: '7' },
  source: 'data',
  keyId: null,
  hasCredentials: false,
  setup: usualSetup,
  sealedParts: [],
  session: {},
  addressChange: null,
  isActive: false,
};
const typed = { baseUrl: 'https://typed.example.com' };
const form = 'environment/data/uat';
const newForm = 'environment/';

beforeEach(() => {
  noteUnsaved(form, typed);
  noteUnsaved(newForm, null);
});

it('takes what was typed for an environment that was deleted elsewhere on as a new one, with all that the form held', () => {
  keepTyped([uat], [uat]);
  expect([readUnsaved(form), readUnsaved(newForm)]).toEqual([typed, null]);
  keepTyped([uat], []);
  expect(readUnsaved(form)).toBeNull();
  expect(readUnsaved(newForm)).toEqual({
    name: 'uat',
    baseUrl: 'https://typed.example.com',
    variables: 'amount = 7',
    deleted: 'uat',
  });
});

it('lets a new one that is being typed stand, and what was typed wait', () => {
  noteUnsaved(newForm, { name: 'mine' });
  keepTyped([uat], []);
  expect([readUnsaved(form), readUnsaved(newForm)]).toEqual([typed, { name: 'mine' }]);
});

it('forgets what was typed for one that is deleted here, and for one that could not be deleted nothing', async () => {
  const refused = deleteHere(uat.id, () => Promise.reject(new Error('not now')));
  await expect(refused).rejects.toThrow('not now');
  expect(readUnsaved(form)).toEqual(typed);
  await deleteHere(uat.id, () => {
    keepTyped([uat], []);
    return Promise.resolve();
  });
  expect([readUnsaved(form), readUnsaved(newForm)]).toEqual([null, null]);
});
