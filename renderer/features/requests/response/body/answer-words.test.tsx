import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { AnswerWords } from './answer-words';

it('shows the name of a field as it is: turned round it would read as another one', () => {
  // The tip on the value asks where tips stand.
  vi.stubGlobal('document', { getElementById: () => null });
  const body = JSON.stringify({ '\u202edleif': 1 });
  const html = renderToStaticMarkup(<AnswerWords body={body} whyUnread={null} />);
  expect(html).toContain('[RLO]dleif</bdi></dt>');
});
