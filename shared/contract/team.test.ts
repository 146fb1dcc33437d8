import { expect, it } from 'vitest';
import { teamMethods, type TeamInbox } from './team';
import { checkMethods, long } from './testing/check-methods';

const inbox: TeamInbox = {
  id: 'team-1',
  name: 'Payments',
  address: 'postgres://ann@db.example.test:5432/hooks',
  state: 'lost',
  message: 'The database does not answer.',
  since: 1_800_000_000_000,
  password: 'vault',
  user: 'ann',
  mayMark: true,
  unreadCount: 3,
};
const neverOpen: TeamInbox = { ...inbox, message: null, user: null, mayMark: null };
const address = inbox.address;

const ids = { id: ['9', `a${long(39)}`] };
const noIds = { id: ['', 'Team', '-team', 'te am', 'team\n', '../team', `a${long(40)}`] };
const passwords = { password: ['p', long(1000), ' '] };
const noPasswords = { password: ['', long(1001)] };
const addresses = { address: ['x', long(1000)] };
const noAddresses = { address: ['', long(1001)] };

checkMethods(teamMethods, {
  'team.list': {
    calls: [{}],
    bounded: ['inboxes.*.id'],
    answers: [{ inboxes: [inbox, neverOpen] }],
    gives: {
      'inboxes.0.state': ['closed', 'opening', 'open', 'lost', 'failed'],
      'inboxes.0.password': ['vault', 'session', 'none'],
    },
    // A password in its place would be one that is shown.
    withholds: { 'inboxes.0.state': ['asleep'], 'inboxes.0.password': ['hunter2'], 'inboxes.0.id': ['Team'] },
  },
  'team.save': {
    calls: [
      { name: 'Payments', address },
      { id: 'team-1', name: 'Payments', address, password: 'p', isKept: false },
      { name: 'Payments', address, password: null },
    ],
    becomes: { name: 'Payments', address, password: null, isKept: true },
    takes: { ...ids, ...addresses, ...passwords, name: ['a', long(60)] },
    refuses: { ...noIds, ...noAddresses, ...noPasswords, name: ['', '   ', long(61)] },
    bounded: ['id'],
    answers: [inbox, neverOpen],
    says: ['team.too_many', 'store.bad_address', 'vault.locked'],
  },
  'team.remove': {
    calls: [{ id: 'team-1' }],
    takes: ids,
    refuses: noIds,
    answers: [{}],
    says: ['team.unknown'],
  },
  'team.test': {
    calls: [{ address }, { id: 'team-1', address, password: 'p' }, { address, password: null }],
    becomes: { address, password: null },
    takes: { ...ids, ...addresses, ...passwords },
    refuses: { ...noIds, ...noAddresses, ...noPasswords },
    answers: [{ facts: [{ tone: 'good', text: 'It is encrypted.' }] }],
    gives: { 'facts.0.tone': ['good', 'warn', 'bad'] },
    withholds: { 'facts.0.tone': ['quiet'] },
    says: ['store.unreachable'],
  },
  'team.open': {
    calls: [{ id: 'team-1' }, { id: 'team-1', password: 'p' }, { id: 'team-1', password: null }],
    becomes: { id: 'team-1', password: null },
    takes: { ...ids, ...passwords },
    refuses: { ...noIds, ...noPasswords },
    bounded: ['id'],
    answers: [inbox, neverOpen],
    says: ['team.password_needed'],
  },
  'team.close': {
    calls: [{ id: 'team-1' }],
    takes: ids,
    refuses: noIds,
    bounded: ['id'],
    answers: [inbox, neverOpen],
    says: ['team.unknown'],
  },
});

it('takes the spaces around a name of an inbox away', () => {
  const saved = teamMethods['team.save'].input.parse({ name: '  Payments\n', address });
  expect(saved.name).toBe('Payments');
});
