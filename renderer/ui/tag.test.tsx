import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ErrorLine } from './error-line';
import { Tag } from './tag';

const turned = '\u202eSSECCUS';

it('shows a state of a stranger as it is: turned round it would read as another one', () => {
  expect(renderToStaticMarkup(<Tag>{turned}</Tag>)).toContain('<bdi dir="ltr">[RLO]SSECCUS</bdi>');
  expect(renderToStaticMarkup(<Tag>{'\u0000\u001b[31mred'}</Tag>)).toContain('␀␛[31mred');
});

it('so does an error that repeats what a service said', () => {
  expect(renderToStaticMarkup(<ErrorLine error={{ message: turned }} />)).not.toContain('\u202e');
});
