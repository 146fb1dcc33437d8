type Say = (line: string) => void;

let say: Say = () => undefined;

/** Has the remarks of whatever works for a command said as the command says its own. */
export function sayRemarksBy(command: Say): void {
  say = command;
}

/** Says what the user must hear of, where the context of the command is not at hand. */
export const remark: Say = (line) => say(line);
