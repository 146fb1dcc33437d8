/**
 * Gives the switches of this process's start that each start of the same program from here needs, too: where Chromium may have no
 * sandbox, no other one comes up either. A thread has no other word of them than what is passed to it.
 */
export const listPassedSwitches = (): string[] => process.argv.filter((word) => word === '--no-sandbox');
