import { readCaptured } from './foreign-variables';

/** A request as its file has it, scripts included. */
export interface ScriptedRequest {
  readonly name: string | null;
  readonly text: string;
}

/** How scripts of other clients give a variable its value: JetBrains' client, httpYac. */
const writeSetter = (name: string): RegExp => {
  const literal = name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
  return new RegExp(
    String.raw`(?:\.set\(\s{0,9}["']${literal}["']\s{0,9},|(?<![\w$.])(?:exports|\$global)\.${literal}\s{0,9}=(?!=))\s{0,9}([^;\r\n]{0,200})`,
  );
};
const ofBody =
  /^response\.(?:body|parsedBody)((?:\.[\w-]{1,80}|\[['"]?[\w-]{1,80}['"]?\]){1,40})\s{0,9}\)?\s{0,9}$/;
const ofPath = /^jsonPath\(\s{0,9}response\.(?:body|parsedBody)\s{0,9},\s{0,9}["']([^"']{1,150})["']/;
const ofHeader = /^response\.headers(?:\.valueOf\(["']|\[["']|\.)([\w-]{1,80})/;

/**
 * Says how a variable gets its value that nobody gives: where a script of other clients would, what does the same here.
 *
 * @param requests - of the files at hand
 * @param otherwise - how it is given by hand, without a point
 * @returns a sentence
 */
export function adviseBesideScripts(
  name: string,
  requests: readonly ScriptedRequest[],
  otherwise: string,
): string {
  const setter = writeSetter(name);
  for (const request of requests) {
    const [, expression] = setter.exec(request.text) ?? [];
    if (expression === undefined) continue;
    const source = readSource(expression);
    const whose = request.name === null ? 'A script' : `A script of '${request.name}'`;
    const way =
      source === null
        ? otherwise
        : `write \`# @capture ${name} = ${source}\` above that request, and a run fills it in`;
    return `${whose} gives {{${name}}} in other clients, and scripts are not run here: ${way}.`;
  }
  return `${otherwise}.`;
}

function readSource(expression: string): string | null {
  const header = ofHeader.exec(expression)?.[1];
  if (header !== undefined) return readCaptured('header', header)?.source ?? null;
  const path = (ofPath.exec(expression) ?? ofBody.exec(expression))?.[1];
  return path === undefined ? null : (readCaptured('body', path.replaceAll('"', "'"))?.source ?? null);
}
