import { readCaptured } from './foreign-variables';

/** A request as its file has it, scripts included. */
export interface ScriptedRequest {
  readonly name: string | null;
  readonly text: string;
}

/** How scripts of other clients give a variable its value: JetBrains' client, httpYac. What is given may give another one. */
const setters =
  /(?:\.set\(\s{0,9}["'](?<named>[^"'\r\n]{1,200})["']\s{0,9},|(?<![\w$.])(?:exports|\$global)\.(?<member>[^\s=]{1,200})\s{0,9}=(?!=))\s{0,9}(?=(?<expression>[^;\r\n]{0,200}))/g;
const ofBody =
  /^response\.(?:body|parsedBody)((?:\.[\w-]{1,80}|\[['"]?[\w-]{1,80}['"]?\]){1,40})\s{0,9}\)?\s{0,9}$/;
const ofPath = /^jsonPath\(\s{0,9}response\.(?:body|parsedBody)\s{0,9},\s{0,9}["']([^"']{1,150})["']/;
const ofHeader = /^response\.headers(?:\.valueOf\(["']|\[["']|\.)([\w-]{1,80})/;

/**
 * Makes what says how a variable gets its value that nobody gives: where a script of other clients would, what does the same here.
 *
 * Ten thousands may be asked for, of as many requests: their scripts are read once.
 * @param requests - of the files at hand
 * @returns says it in a sentence; `otherwise` is how it is given by hand, without a point
 */
export function createScriptAdvice(
  requests: readonly ScriptedRequest[],
): (name: string, otherwise: string) => string {
  let given: ReadonlyMap<string, Given> | null = null;
  return (name, otherwise) => {
    const found = (given ??= listGiven(requests)).get(name);
    if (found === undefined) return `${otherwise}.`;
    const source = readSource(found.expression);
    const whose = found.by === null ? 'A script' : `A script of '${found.by}'`;
    const way =
      source === null
        ? otherwise
        : `write \`# @capture ${name} = ${source}\` above that request, and a run fills it in`;
    return `${whose} gives {{${name}}} in other clients, and scripts are not run here: ${way}.`;
  };
}

interface Given {
  /** The request whose script it is. */
  readonly by: string | null;
  readonly expression: string;
}

function listGiven(requests: readonly ScriptedRequest[]): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const { name: by, text } of requests) {
    for (const { groups = {} } of text.matchAll(setters)) {
      const name = groups['named'] ?? groups['member'] ?? '';
      if (!given.has(name)) given.set(name, { by, expression: groups['expression'] ?? '' });
    }
  }
  return given;
}

function readSource(expression: string): string | null {
  const header = ofHeader.exec(expression)?.[1];
  if (header !== undefined) return readCaptured('header', header)?.source ?? null;
  const path = (ofPath.exec(expression) ?? ofBody.exec(expression))?.[1];
  return path === undefined ? null : (readCaptured('body', path.replaceAll('"', "'"))?.source ?? null);
}
