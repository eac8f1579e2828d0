import { shellWord } from '@watchword/protocol';
import { removal } from '@watchword/server/config/former-settings';
import { flagName } from '@watchword/server/config/settings';
import { printable } from '@watchword/server/runtime/log/printable';
import { version } from '@watchword/server/version';
import { asOwnerOf } from '@watchword/store-sql';
import { Command, CommanderError } from 'commander';
import { errorInWords, exitCodeOf, exitCodes } from './command/error-words.ts';
import { commandPath, examples } from './command/examples.ts';
import { type Io, ownProcess } from './command/io.ts';
import { progressOf, showsProgress } from './command/progress.ts';
import { UsageError } from './command/usage-error.ts';
import { completionCommand } from './completion/completion.ts';
import { applyCommand, planCommand } from './configuration/apply.ts';
import { exportCommand } from './configuration/export.ts';
import { backupCommand } from './database/backup.ts';
import { bootstrapCommand } from './database/bootstrap.ts';
import { checkCommand } from './database/check.ts';
import { demoCommand } from './database/demo.ts';
import { migrateDataCommand } from './database/migrate-data.ts';
import { purgeCommand } from './database/purge.ts';
import { restoreCommand } from './database/restore.ts';
import { restoredCommand } from './database/restored.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { importCommand } from './import/import.ts';
import { keysCommand } from './keys/keys.ts';
import { loginCommand } from './login/login.ts';
import { logoutCommand } from './login/logout.ts';
import { profileCommand } from './login/profile.ts';
import { auditCommand } from './records/audit.ts';
import { clientCommand } from './records/clients/client.ts';
import { clientHostCommand } from './records/clients/client-host.ts';
import { initialTokenCommand } from './records/clients/initial-token.ts';
import { explainCommand } from './records/grants/explain.ts';
import { grantCommand } from './records/grants/grant.ts';
import { tokenCommand } from './records/grants/token.ts';
import { lintCommand } from './records/lint.ts';
import { confirmationCommand } from './records/people/confirmation.ts';
import { factorCommand } from './records/people/factor.ts';
import { identityProviderCommand } from './records/people/identity-provider.ts';
import { invitationCommand } from './records/people/invitation.ts';
import { logoutDeliveryCommand } from './records/people/logout-delivery.ts';
import { sessionCommand } from './records/people/session.ts';
import { userCommand } from './records/people/user.ts';
import { resourceServerCommand } from './records/resource-servers/resource-server.ts';
import { rightCommand } from './records/right.ts';
import { migrateCommand } from './releases/migrate.ts';
import { versionCommand } from './releases/version.ts';
import { configCommand } from './serving/config.ts';
import { healthcheckCommand } from './serving/healthcheck.ts';
import { serveCommand } from './serving/serve.ts';
import { textsCommand } from './serving/texts.ts';
import { workerCommand } from './serving/worker.ts';

/** By the name that the user types. */
const commands: Readonly<Record<string, () => Command>> = {
  serve: serveCommand,
  healthcheck: healthcheckCommand,
  doctor: doctorCommand,
  migrate: migrateCommand,
  'migrate-data': migrateDataCommand,
  bootstrap: bootstrapCommand,
  login: loginCommand,
  logout: logoutCommand,
  profile: profileCommand,
  'resource-server': resourceServerCommand,
  client: clientCommand,
  lint: lintCommand,
  explain: explainCommand,
  token: tokenCommand,
  grant: grantCommand,
  user: userCommand,
  invitation: invitationCommand,
  confirmation: confirmationCommand,
  factor: factorCommand,
  'identity-provider': identityProviderCommand,
  'logout-delivery': logoutDeliveryCommand,
  session: sessionCommand,
  'client-host': clientHostCommand,
  right: rightCommand,
  'initial-token': initialTokenCommand,
  audit: auditCommand,
  keys: keysCommand,
  export: exportCommand,
  plan: planCommand,
  apply: applyCommand,
  import: importCommand,
  demo: demoCommand,
  purge: purgeCommand,
  check: checkCommand,
  backup: backupCommand,
  restore: restoreCommand,
  restored: restoredCommand,
  config: configCommand,
  texts: textsCommand,
  completion: completionCommand,
  version: versionCommand,
  worker: workerCommand,
};

/**
 * The command line: every command, with its help.
 *
 * @param typed the first word that is no option. If it is a command, only this one is made, because all of them take longer
 *   than the rest of many commands; the scripts for shells need all
 */
export function commandLine(io: Io, typed = ''): Command {
  const isAlone = Object.hasOwn(commands, typed) && typed !== 'completion';
  const program = new Command('watchword')
    .description('A self-hosted OAuth 2.0 authorization server.')
    .version(version)
    .option('--url <baseUrl>', 'administer the server with this base URL instead of a database')
    .option('--profile <name>', 'administer the server of this login of "watchword login"')
    .hook('preAction', (program, command) => {
      command.setOptionValue('io', io);
      handDown('url', program, command);
      handDown('profile', program, command);
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong use of the command line or the configuration, 3 lint has findings.',
    )
    .addHelpText(
      'before',
      examples(
        'serve --demo',
        'client list',
        'grant end --client demo-app',
        'login https://id.example.com',
        '--url https://id.example.com token list',
      ),
    );
  for (const [name, make] of Object.entries(commands)) {
    if (!isAlone || name === typed) program.addCommand(make(), { hidden: name === 'worker' });
  }
  const output = {
    writeOut: (text: string) => void io.stdout.write(text),
    writeErr: (text: string) => void io.stderr.write(text),
  };
  forEachCommand(program, (command) => {
    // A command can have advice of its own.
    const { outputError } = command.configureOutput();
    command
      .exitOverride()
      .showHelpAfterError('(--help shows the usage)')
      .configureOutput({
        ...output,
        outputError: (text, write) => outputError?.(withDashAdvice(command, withRemovedSetting(text)), write),
      });
  });
  return program;
}

/** An error of Commander, or what became of the setting if its flag is one of an earlier release. */
function withRemovedSetting(text: string): string {
  const [, flag] = /unknown option '(--[^']*)'/.exec(text) ?? [];
  const removed = removal((path) => flagName(path) === flag);
  return removed === undefined ? text : `error: ${flag} ${removed}\n`;
}

/** An error of Commander, or with advice if what it takes for an option can be a name: earlier releases made names that begin with a dash. */
function withDashAdvice(command: Command, text: string): string {
  const [, word] = /unknown option '(-[^']*)'/.exec(text) ?? [];
  if (word === undefined || command.registeredArguments.length === 0) return text;
  return `${text.trimEnd()}\nIf ${printable(word)} is a name, write it at the end, after --: watchword ${commandPath(command).join(' ')} -- ${printable(shellWord(word))}\n`;
}

/** Runs the command line. @param argv as in `process.argv` @returns the exit code */
export async function main(argv: readonly string[], io: Io = ownProcess()): Promise<number> {
  try {
    // A command of root acts as the owner of its files, until its end.
    await asOwnerOf([], () => run(argv, io));
    return Number(io.exitCode ?? exitCodes.done);
  } catch (error) {
    return report(error, io);
  }
}

/** The first word behind the options that can stand before the command. */
function typedCommand([word = '', ...others]: readonly string[]): string {
  const [, separator] = /^--(?:url|profile)(=|$)/.exec(word) ?? [];
  return separator === undefined ? word : typedCommand(separator === '' ? others.slice(1) : others);
}

async function run(argv: readonly string[], io: Io): Promise<void> {
  const typed = typedCommand(argv.slice(2));
  const isLong = Object.hasOwn(commands, typed) && showsProgress(typed, io);
  using progress = isLong ? progressOf(typed, io) : undefined;
  await commandLine(progress?.io ?? io, typed).parseAsync(argv);
}

function report(error: unknown, { stderr }: Io): number {
  // Commander has already printed its own errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  stderr.write(`watchword: ${errorInWords(error)}\n`);
  return exitCodeOf(error);
}

/** `--url` and `--profile` can stand before the command or after it. @throws UsageError for a command without the option */
function handDown(name: 'url' | 'profile', program: Command, command: Command): void {
  const value = program.opts()[name];
  if (value === undefined) return;
  const flag = `--${name}`;
  const option = command.options.find(({ long }) => long === flag);
  if (option === undefined) {
    throw new UsageError(
      `${flag}: "${commandPath(command).join(' ')}" works only on this machine; leave out ${flag}`,
    );
  }
  command.setOptionValue(option.attributeName(), value);
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}
