import type { AddHelpTextContext, Command } from 'commander';

/**
 * Examples for the help of a command, as text for `addHelpText('before', …)`: what most readers look for comes first.
 *
 * @param lines what the user types after the name of the command; `''` for nothing
 */
export function examples(...lines: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const shown = lines.map(
      (line) => `  ${['watchword', ...commandPath(command), line].join(' ').trimEnd()}`,
    );
    return `Examples:\n${shown.join('\n')}\n`;
  };
}

/** The command as the user types it after `watchword`: `['user', 'list']`. */
export function commandPath(command: Command): readonly string[] {
  const { parent } = command;
  return parent === null ? [] : [...commandPath(parent), command.name()];
}
