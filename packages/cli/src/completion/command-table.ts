import type { Argument, Command, Option } from 'commander';
import { commandPath } from '../command/examples.ts';

/** A command, with everything that a shell can complete after it. */
export interface CompletedCommand {
  /** What the user types after `watchword`. */
  readonly path: readonly string[];
  readonly commands: readonly Described[];
  readonly options: readonly CompletedOption[];
  /** Values of the arguments, where they are fixed. */
  readonly values: readonly string[];
  /** Whether an argument is a file. */
  readonly takesFile: boolean;
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption extends Described {
  /** With `--`. */
  readonly name: string;
  /** Whether the next word is its value. */
  readonly takesValue: boolean;
  /** Its values, where they are fixed. */
  readonly values: readonly string[];
  readonly takesFile: boolean;
}

/** Every command of the program, as its help describes it. */
export function commandTable(command: Command): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((child) => command.commands.includes(child));
  const one: CompletedCommand = {
    path: commandPath(command),
    commands: commands.map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).map(completedOption),
    values: command.registeredArguments.flatMap(fixedValues),
    takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
  };
  return [one, ...commands.flatMap(commandTable)];
}

function completedOption({ long, short, flags, description, required, optional }: Option): CompletedOption {
  return {
    name: long ?? short ?? flags,
    description,
    takesValue: required || optional,
    values: alternatives(flags),
    takesFile: /<(?:file|path)>/.test(flags),
  };
}

function fixedValues(argument: Argument): readonly string[] {
  return argument.argChoices ?? alternatives(`<${argument.name()}>`);
}

/** The values that a placeholder names: `<on|off>`, `[true|false]`. */
function alternatives(flags: string): readonly string[] {
  const [, values = ''] = /[<[]([\w-]+(?:\|[\w-]+)+)[>\]]/.exec(flags) ?? [];
  return values === '' ? [] : values.split('|');
}
