import { userInfo } from 'node:os';
import { Writable } from 'node:stream';
import type { Command, Option } from 'commander';
import { commandPath } from '../../../packages/cli/src/command/examples.ts';
import { commandLine } from '../../../packages/cli/src/main.ts';
import { flagName, settingPaths } from '../../../packages/server/src/config/settings.ts';
import { code, plain, table } from '../markdown.ts';

/** What each command is for, and the arguments, options and examples of those that can be run. */
export function commandReference(): string {
  const program = commandLine({
    env: {},
    stdin: process.stdin,
    stdout: new Writable(),
    stderr: new Writable(),
  });
  const described = leavesOf(program).map(describeCommand);
  return `# Commands

Every command has \`--help\`. Most have \`--json\` for scripts. Exit code 0 is success, 1 a failure, and 2 a wrong call. Commands work while a
server runs on the same database. With \`--url\`, those that administer records work on a server at another machine:
[From another machine](docs/guides/administration.md#from-another-machine) explains how they are authorized.

${table(['command', 'does'], overviewOf(program))}

${described.join('\n\n')}
`;
}

/** The commands of the first level, with those of each group. */
function overviewOf(program: Command): string[][] {
  return visibleCommands(program).map((command) => {
    const below = visibleCommands(command).map((each) => each.name());
    const name = [command.name(), below.join(' | ')].join(' ').trim();
    return [code(name), plain(sentence(program.createHelp().commandDescription(command)))];
  });
}

function visibleCommands(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
}

/** The commands that can be run: the groups of commands only hold others. */
export function leavesOf(command: Command): Command[] {
  const below = visibleCommands(command);
  return below.length === 0 ? [command] : below.flatMap(leavesOf);
}

function describeCommand(command: Command): string {
  const help = command.createHelp();
  const path = commandPath(command).join(' ');
  const [flags, options] = partition(help.visibleOptions(command), ({ long }) =>
    settingFlags.has(long ?? ''),
  );
  const inputs = help
    .visibleArguments(command)
    .map((argument) => [code(argument.name()), plain(help.argumentDescription(argument))]);
  const rows = options
    .filter(({ long }) => long !== '--help')
    .map((option) => [code(help.optionTerm(option)), plain(withoutOwnName(help.optionDescription(option)))]);
  return [
    `## ${path}`,
    plain(sentence(help.commandDescription(command))),
    `\`\`\`text\nwatchword ${path} ${command.usage()}\n\`\`\``,
    ...(inputs.length === 0 ? [] : [table(['argument', 'meaning'], inputs)]),
    ...(rows.length === 0 ? [] : [table(['option', 'meaning'], rows)]),
    ...(flags.length === 0 ? [] : [`Flags of [settings](docs/settings.md): ${listOf(flags)}.`]),
    ...additionsOf(command),
  ].join('\n\n');
}

/** The flags of settings: the reference of the settings explains them. */
const settingFlags = new Set(settingPaths.map(flagName));

function listOf(flags: readonly Option[]): string {
  return flags.length === settingFlags.size
    ? 'all of them'
    : flags.map(({ long = '' }) => code(long)).join(', ');
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

/** The name of the user who makes the documentation is a default of some options. */
function withoutOwnName(text: string): string {
  return text.replace(`(default: ${JSON.stringify(userInfo().username)})`, '(default: the name of the user)');
}

/** What the help has beside the options: examples, and paragraphs. */
function additionsOf(command: Command): string[] {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text) }).outputHelp();
  const options = command.helpInformation();
  const [examples, others] = partition(printed.replace(options, '').split('\n'), (line) =>
    /^ +watchword /.test(line),
  );
  const text = others
    .filter((line) => line !== 'Examples:')
    .join('\n')
    .trim();
  return [
    ...(text === '' ? [] : [plain(text)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.map((line) => line.trim()).join('\n')}\n\`\`\``]),
  ];
}
