/** Which Node the program runs on, and which it is built with. Whatever Node there is reads this, so it asks for nothing new. */

const versionOf = (text) => text.split('.').map(Number);

/** @param ranges - the lowest release of a line each; of the last one all later lines, too */
function isOneOf(version, ranges) {
  const [major, minor] = versionOf(version);
  const [last] = versionOf(ranges.at(-1));
  return ranges
    .map(versionOf)
    .some(([line, least]) => (major === line && minor >= least) || (line === last && major > last));
}

/** `engines` of package.json says the same. @source process.getBuiltinModule: added in 20.16 and 22.3 */
export const runsOn = ['20.18', '22.3'];
/** Of Vite and Rolldown, which build it. */
export const buildsWith = ['20.19', '22.12'];

const namePair = ([first, second]) => `Node ${first} or newer (of Node 22: ${second})`;

/** @returns what to tell whoever starts the program; null: it runs */
export const explainOldNode = (version = process.versions.node) =>
  isOneOf(version, runsOn)
    ? null
    : `it needs ${namePair(runsOn)}, and this is Node ${version}. Install a newer one (https://nodejs.org), then start it again.`;

/** @returns what to tell whoever builds it; null: it can be built */
export const explainUnbuildable = (version = process.versions.node) =>
  isOneOf(version, buildsWith)
    ? null
    : `to be built it needs ${namePair(buildsWith)}, and this is Node ${version}. Install a newer one (https://nodejs.org), then run npm ci again: under this one npm leaves out what the build needs.`;
