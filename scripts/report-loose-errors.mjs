/** A reporter of Vitest's that keeps what failed outside of any test, which its JSON report leaves out: a line each. */
import { writeFileSync } from 'node:fs';

// Vitest asks a reporter's file for its default.
// eslint-disable-next-line import-x/no-default-export
export default class LooseErrorsReporter {
  onTestRunEnd(modules, errors) {
    const file = process.env.COUNTERSIGN_LOOSE_ERRORS;
    if (!file) return;
    const lines = errors.map(({ name, message, stack }) => {
      const at = /\((?:file:\/\/)?([^()\s]+:\d+:\d+)\)/.exec(stack ?? '')?.[1];
      return `${name}: ${String(message).split('\n')[0]}${at ? ` (${at})` : ''}`;
    });
    writeFileSync(file, JSON.stringify(lines));
  }
}
