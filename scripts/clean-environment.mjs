/**
 * What programs that scripts start get of the environment. `electron/platform/child-processes.ts` has the same for the product, which
 * scripts that run before it is built cannot load; `test/structure/child-environment.test.ts` holds the two together.
 */

/** Secrets of the product, and of a store that it opens. What tests and benches are told by is none. */
const ours =
  /^(?:COUNTERSIGN_(?!(?:TEST|BENCH)_|(?:LOOSE_ERRORS|MALFORMED_CALLS|STORE_WEBHOOKS|WRITE_DOCS)$)|PGPASSWORD$)/i;

/** What an installer needs: where things are, how to get out, and where to fetch from. */
const needed = [
  /^(?:PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TMP|TEMP|SystemRoot|ComSpec|XDG_CACHE_HOME|LANG)$/i,
  /^(?:(?:GLOBAL_AGENT_)?(?:HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|SSL_CERT_(?:FILE|DIR))$/i,
  /^(?:electron_|playwright_|npm_config_(?!.*(?:auth|token|password)))/i,
];

/** For a program that builds, packs or tests. */
export function cleanEnvironment(variables = process.env) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !ours.test(name)));
}

/** For a program that fetches what others have made, and runs it. */
export function installerEnvironment(variables = process.env) {
  const isNeeded = (name) => needed.some((pattern) => pattern.test(name));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isNeeded(name)));
}
