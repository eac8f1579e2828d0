import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { backupCommand } from './backup.ts';
import { bootstrapCommand } from './bootstrap.ts';
import { checkCommand } from './check.ts';
import { clientCommand } from './client.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { errorInWords, exitCodeOf, exitCodes } from './error-words.ts';
import { commandPath, examples } from './examples.ts';
import { explainCommand } from './explain.ts';
import { grantCommand } from './grant.ts';
import { healthcheckCommand } from './healthcheck.ts';
import { identityProviderCommand } from './identity-provider.ts';
import { importCommand } from './import/import.ts';
import { type Io, ownProcess } from './io.ts';
import { keysCommand } from './keys/keys.ts';
import { logoutDeliveryCommand } from './logout-delivery.ts';
import { migrateCommand } from './migrate.ts';
import { migrateDataCommand } from './migrate-data.ts';
import { purgeCommand } from './purge.ts';
import { resourceServerCommand } from './resource-server.ts';
import { restoreCommand } from './restore.ts';
import { restoredCommand } from './restored.ts';
import { serveCommand } from './serve.ts';
import { tokenCommand } from './token.ts';
import { UsageError } from './usage-error.ts';
import { userCommand } from './user.ts';
import { versionCommand } from './version.ts';
import { workerCommand } from './worker.ts';

/** The command line: every command, with its help. */
export function commandLine(io: Io): Command {
  const program = new Command('watchword')
    .description('A self-hosted OAuth 2.0 authorization server.')
    .version(version)
    .option('--url <baseUrl>', 'administer the server with this base URL instead of a database')
    .hook('preAction', (program, command) => {
      command.setOptionValue('io', io);
      handDownUrl(program, command);
    })
    .addCommand(serveCommand())
    .addCommand(healthcheckCommand())
    .addCommand(doctorCommand())
    .addCommand(migrateCommand())
    .addCommand(migrateDataCommand())
    .addCommand(bootstrapCommand())
    .addCommand(resourceServerCommand())
    .addCommand(clientCommand())
    .addCommand(explainCommand())
    .addCommand(tokenCommand())
    .addCommand(grantCommand())
    .addCommand(userCommand())
    .addCommand(identityProviderCommand())
    .addCommand(logoutDeliveryCommand())
    .addCommand(keysCommand())
    .addCommand(importCommand())
    .addCommand(purgeCommand())
    .addCommand(checkCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(restoredCommand())
    .addCommand(configCommand())
    .addCommand(completionCommand())
    .addCommand(versionCommand())
    .addCommand(workerCommand(), { hidden: true })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong use of the command line or the configuration.',
    )
    .addHelpText(
      'after',
      examples(
        'serve --demo',
        'client list',
        'grant end --client demo-app',
        '--url https://id.example.com token list',
      ),
    );
  const output = {
    writeOut: (text: string) => void io.stdout.write(text),
    writeErr: (text: string) => void io.stderr.write(text),
  };
  forEachCommand(program, (command) =>
    command.exitOverride().showHelpAfterError('(--help shows the usage)').configureOutput(output),
  );
  return program;
}

/** Runs the command line. @param argv as in `process.argv` @returns the exit code */
export async function main(argv: readonly string[], io: Io = ownProcess()): Promise<number> {
  try {
    await commandLine(io).parseAsync(argv);
    return Number(io.exitCode ?? exitCodes.done);
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, { stderr }: Io): number {
  // Commander has already printed its own errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  stderr.write(`watchword: ${errorInWords(error)}\n`);
  return exitCodeOf(error);
}

/** `--url` can stand before the command or after it. @throws UsageError for a command without `--url` */
function handDownUrl(program: Command, command: Command): void {
  const { url } = program.opts();
  if (url === undefined) return;
  if (!command.options.some(({ long }) => long === '--url')) {
    throw new UsageError(
      `--url: "${commandPath(command).join(' ')}" works only on this machine; leave out --url`,
    );
  }
  command.setOptionValue('url', url);
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}
