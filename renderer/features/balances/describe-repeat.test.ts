import { expect, it } from 'vitest';
import { describeUnread } from './describe-repeat';

it('does not say that nothing is sent by itself where balances are read again every few seconds', () => {
  expect(describeUnread(0).text).toContain('nothing is sent to this environment by itself');
  expect(describeUnread(300)).toEqual({
    title: 'Balances are not read yet',
    text: 'One query for each product. While this view is on show they are read by themselves, as chosen above: every 5 min.',
  });
});
