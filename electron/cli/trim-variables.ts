/**
 * Takes the line end off variables of ours: a secret that is mounted as a file, or made by `echo`, mostly has one, and no
 * credential, token or passphrase ends so.
 *
 * @param variables - the environment of the process; changed in place
 */
export function trimVariables(variables: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(variables)) {
    if (/^COUNTERSIGN_/i.test(name) && /[\r\n]$/.test(value))
      variables[name] = value.replace(/[\r\n]{1,9}$/, '');
  }
}
