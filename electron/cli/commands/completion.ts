import { defineCommand } from '../command';
import { describeCommands, type DescribedCommand } from '../completion/describe-commands';

type Writer = (commands: readonly DescribedCommand[]) => string;

const writers: Readonly<Record<string, () => Promise<Writer>>> = {
  bash: async () => (await import('../completion/bash-completion')).writeBashCompletion,
  zsh: async () => (await import('../completion/zsh-completion')).writeZshCompletion,
  fish: async () => (await import('../completion/fish-completion')).writeFishCompletion,
};

export const command = defineCommand({
  usage: 'completion bash|zsh|fish',
  summary: 'Write what a shell completes countersign by: commands, options, and values of a closed list.',
  notes: [
    'bash: source <(countersign completion bash)',
    'zsh:  source <(countersign completion zsh)',
    'fish: countersign completion fish | source',
  ],
  options: {},
  positionals: [{ name: 'SHELL', isRequired: true, help: 'The shell', choices: Object.keys(writers) }],
  async run(context, _values, [shell = '']) {
    const write = await writers[shell]!();
    const script = write(await describeCommands());
    if (context.isJson) context.printJson({ shell, script });
    else for (const line of script.split('\n')) context.print(line);
    return 0;
  },
});
