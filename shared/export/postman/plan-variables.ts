import { readDrawRecipe, type DrawRecipe } from '../../http-file/draw-recipe';
import type { ExportNote } from '../export-source';
import type { ExportVariable } from '../export-variables';
import { mapRequest, type PortableRequest } from '../portable-requests';

/** What the script draws and encodes, by the name of the variable that stands for it. */
export interface ScriptPlan {
  drawn: Record<string, DrawRecipe>;
  /** Variables that another one's value, encoded for a URL, is put into. */
  encoded: Record<string, string>;
  /** Of each that is drawn or encoded: what it was called in the collection. */
  meanings: Record<string, string>;
}

/** Postman's own variables that mean the same. */
const equivalents: Readonly<Record<string, string>> = {
  $uuid: '$randomUUID',
  $guid: '$guid',
  '$random.uuid': '$randomUUID',
  $timestamp: '$timestamp',
  $isoTimestamp: '$isoTimestamp',
  $randomInt: '$randomInt',
  '$random.integer': '$randomInt',
  '$random.email': '$randomEmail',
};

/** Gives the variable of Postman that draws the same; null: it has none. */
export function findPostmanVariable(expression: string): string | null {
  return Object.hasOwn(equivalents, expression) ? equivalents[expression]! : null;
}

/** Puts variables that Postman has, or that the script sets, in the place of ours. */
export function planVariables(
  requests: readonly PortableRequest[],
  variables: readonly ExportVariable[],
  notes: ExportNote[],
): { requests: PortableRequest[]; plan: ScriptPlan } {
  const plan: ScriptPlan = { drawn: {}, encoded: {}, meanings: {} };
  const taken = new Set(variables.map(({ name }) => name));
  const names = new Map<string, string>();
  const nameFor = (key: string, expression: string, wanted: string): string => {
    const known = names.get(key);
    if (known !== undefined) return known;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
    taken.add(name);
    names.set(key, name);
    plan.meanings[name] = `{{${expression}}}`;
    return name;
  };
  const planned = requests.map((request) => {
    const counts = new Map<string, number>();
    const place = (expression: string): string => {
      if (expression.startsWith('%')) {
        const inner = expression.slice(1).trim();
        // Once for each value that is drawn: Postman's own draw another each time that they are read.
        const put = inner.startsWith('$') ? place(inner).slice(2, -2) : inner;
        if (put.startsWith('$')) return `{{${put}}}`;
        const key = put === inner ? expression : `%${put}`;
        const name = nameFor(key, expression, `${put.replace(/\W+/g, '_')}_encoded`);
        plan.encoded[name] = put;
        return `{{${name}}}`;
      }
      if (!expression.startsWith('$')) return `{{${expression}}}`;
      const own = findPostmanVariable(expression);
      if (own !== null) return `{{${own}}}`;
      const recipe = readDrawRecipe(expression);
      if (recipe === null) {
        notes.push({
          where: request.where,
          what: `{{${expression}}} has no value in Postman: put one in its place.`,
        });
        return `{{${expression}}}`;
      }
      const count = counts.get(expression) ?? 0;
      counts.set(expression, count + 1);
      // All times of a request are the same moment; what is random is another one each time.
      const isTime = recipe.kind === 'time' || recipe.kind === 'epoch';
      const key = isTime ? expression : `${count} ${expression}`;
      const wanted = /^\$([A-Za-z.]+)/.exec(expression)![1]!.replaceAll('.', '_').toLowerCase();
      const name = nameFor(key, expression, wanted);
      plan.drawn[name] = recipe;
      return `{{${name}}}`;
    };
    return mapRequest(request, place);
  });
  return { requests: planned, plan };
}
