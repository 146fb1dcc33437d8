import type { AppCommand } from '../session/commands';

const mostShown = 200;

/** Finds commands whose group and title hold every word of the query; titles that begin with it come first. */
export function filterCommands(commands: readonly AppCommand[], query: string): AppCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const text = `${command.group} ${command.title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0];
  if (first !== undefined) {
    const begins = (command: AppCommand): number => (command.title.toLowerCase().startsWith(first) ? 0 : 1);
    found.sort((a, b) => begins(a) - begins(b));
  }
  return found.slice(0, mostShown);
}
