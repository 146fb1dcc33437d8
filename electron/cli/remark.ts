type Say = (line: string) => void;

let say: Say = () => undefined;

/** Has the remarks of whatever works for a command said as the command says its own. */
export function sayRemarksBy(command: Say): void {
  say = command;
}

const said: string[] = [];

/** Says what the user must hear of, where the context of the command is not at hand. */
export const remark: Say = (line) => {
  said.push(line);
  say(line);
};

/** Whether this command said just that, which a kept notice says again behind its time. */
export const wasRemarked = (notice: string): boolean => said.some((line) => notice.endsWith(line));
