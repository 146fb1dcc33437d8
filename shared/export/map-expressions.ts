import { isExpressionName } from '../http-file/find-expression';

const expression = /\{\{([^{\r\n]{0,300}?)\}\}/g;

/**
 * Rewrites every `{{expression}}` of a text, by the grammar that requests are filled in by.
 *
 * @param write - gives what stands in its place; gets what is between the braces, without blanks around it
 */
export function mapExpressions(text: string, write: (name: string) => string): string {
  return text.replace(expression, (whole, inner: string) => {
    const name = inner.trim();
    return isExpressionName(name) ? write(name) : whole;
  });
}

/** Lists the expressions of a text in order, repeated ones too. */
export function listExpressions(text: string): string[] {
  const names: string[] = [];
  mapExpressions(text, (name) => {
    names.push(name);
    return '';
  });
  return names;
}
