import { describe, expect, it } from 'vitest';
import { replacePathVariables } from './postman-url';

const replace = (url: string, values: Record<string, string>) =>
  replacePathVariables(url, new Map(Object.entries(values)));

describe('variables of a path', () => {
  it('are variables of the file, with their value', () => {
    expect(replace('{{host}}/a/:id/b/:other', { id: '7', other: '' })).toEqual({
      url: '{{host}}/a/{{id}}/b/{{other}}',
      variables: [['id', '7']],
    });
  });

  it('stand in place where their name is that of another variable, which one of the file would go before', () => {
    expect(replace('{{host}}/a/:id', { id: '{{ id }}' })).toEqual({
      url: '{{host}}/a/{{ id }}',
      variables: [],
    });
    expect(replace('{{host}}/:customer/:id', { customer: 'c-{{id}}', id: '7' })).toEqual({
      url: '{{host}}/{{customer}}/7',
      variables: [['customer', 'c-{{id}}']],
    });
  });
});
