/** What tests are told by: the product knows none of these. */
const ofTests = /^COUNTERSIGN_(?:TEST_\w+|BENCH_\w+|LOOSE_ERRORS|MALFORMED_CALLS|STORE_WEBHOOKS|WRITE_DOCS)$/;

/**
 * Takes keys, tokens and addresses of whoever runs the tests out of an environment: each command that a test starts would take
 * them for what it was given. The configurations of both runners call it before anything runs.
 */
export function dropProductVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (/^COUNTERSIGN_/i.test(name) && !ofTests.test(name)) Reflect.deleteProperty(environment, name);
  }
}
