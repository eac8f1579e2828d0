import { Argument, Command } from 'commander';
import { examples } from '../command/examples.ts';
import type { Options } from '../command/options.ts';
import { bashCompletion } from './bash.ts';
import { commandTable } from './command-table.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const help = `
The script completes commands, options, and values where they are fixed. Load it at the start of the shell:
  bash  source <(watchword completion bash)         in ~/.bashrc
  zsh   source <(watchword completion zsh)          in ~/.zshrc, after compinit
  fish  watchword completion fish | source          in ~/.config/fish/config.fish
Without an installation, the command is "npx --no-install watchword"; install the package, or make an alias "watchword" for it.`;

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<bash|zsh|fish>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .addHelpText('before', examples('bash', 'fish | source'))
    .action((shell: keyof typeof scripts, { io }: Options, command: Command) => {
      io.stdout.write(scripts[shell](commandTable(command.parent ?? command)));
    });
}
