import { pathProblem, shown } from '@watchword/protocol';
import { databaseOptions } from '@watchword/server/config/database-options';
import { passwordsInFlags } from '@watchword/server/config/find-database';
import { truth } from '@watchword/server/config/kinds';
import { type LoadedConfiguration, loadConfiguration, type Sources } from '@watchword/server/config/load';
import {
  type Configuration,
  environmentName,
  flagName,
  type SettingPath,
  settingPaths,
  settings,
} from '@watchword/server/config/settings';
import { workersOf } from '@watchword/server/workers/workers-of';
import { actAsOwnerOf, dialectOf, shownDatabase } from '@watchword/store-sql';
import { Command, Option } from 'commander';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/** Options as commander parsed them, the flag of a setting under the path of the setting, and the process. */
export interface Options {
  readonly io: Io;
  readonly [name: string]: unknown;
}

/** Adds the flags of settings, `--config` and `--json` to a command. */
export function withSettings(command: Command, paths: readonly SettingPath[]): Command {
  for (const path of paths) command.addOption(settingOption(path));
  return command
    .option('--config <file>', 'YAML or JSON file with settings [env: WATCHWORD_CONFIG]')
    .option('--json', 'print JSON, for scripts');
}

/** A command that works on the database. A server can run meanwhile. */
export function databaseCommand(name: string, description: string): Command {
  return withSettings(new Command(name).description(description), ['database', 'databaseUrlFile']);
}

/** @throws ConfigurationError */
export function configurationOf(options: Options): Promise<LoadedConfiguration> {
  return loadConfiguration(sourcesOf(options));
}

/** Where the configuration of a command comes from. */
export function sourcesOf(options: Options): Sources {
  return {
    flags: flagsOf(options),
    environment: options.io.env,
    file: options.config as string | undefined,
  };
}

/** The database of a command. */
export interface NamedDatabase {
  readonly configuration: Configuration;
  /** As the store is given it. */
  readonly named: ReturnType<typeof databaseOptions>;
  /** For messages: without a password. */
  readonly shown: string;
  readonly origin: LoadedConfiguration['origins']['database'];
}

/**
 * Finds the database that the options name, and warns of a password in a flag. From now on a command of root acts as the owner of
 * what it works on.
 *
 * @throws ConfigurationError, DatabaseOpenError
 */
export async function databaseOf(options: Options): Promise<NamedDatabase> {
  const { configuration, origins } = await configurationOf(options);
  actAsOwnerOf(placesOf(configuration));
  for (const warning of passwordsInFlags(flagsOf(options))) options.io.stderr.write(`warning: ${warning}\n`);
  const shown = shownDatabase(configuration.database);
  const origin = origins.databaseUrlFile === 'default' ? origins.database : origins.databaseUrlFile;
  return { configuration, named: databaseOptions(configuration, workersOf(configuration)), shown, origin };
}

/** What a server makes its files in: the database, or with PostgreSQL the folder of private keys. */
export function placesOf(configuration: Configuration): string[] {
  const { database, 'signing.kms': kms, 'signing.kmsOptions': { directory } = {} } = configuration;
  if (dialectOf(database) === 'sqlite') return [database];
  return kms === 'file' && typeof directory === 'string' ? [directory] : [];
}

function flagsOf(options: Options): Partial<Record<SettingPath, string>> {
  const flags: Partial<Record<SettingPath, string>> = {};
  for (const path of settingPaths) {
    const given = options[path];
    if (given !== undefined) flags[path] = String(given);
  }
  return flags;
}

/** @throws UsageError */
export function wholeNumber(name: string, minimum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum) return value;
    throw new UsageError(`${name}: expected a whole number from ${minimum}, got ${shown(text, 80)}`);
  };
}

/** Reads the path of a file. @param name of the option or argument @throws UsageError */
export function filePath(name: string): (text: string) => string {
  return (text) => {
    const problem = text === '-' ? undefined : pathProblem(text);
    if (problem === undefined) return text;
    throw new UsageError(`${name}: expected the path of a file, got ${shown(text, 200)}; ${problem}`);
  };
}

/** Collects the values of an option that can be repeated. */
export function repeated(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function settingOption(path: SettingPath): Option {
  const { kind, default: fallback, help } = settings[path];
  const isSwitch = kind === truth;
  const { placeholder = 'value' } = kind;
  const isShown = typeof fallback === 'object' ? Object.keys(fallback).length > 0 : fallback !== undefined;
  const shown = isShown ? ` (default: ${fallback})` : '';
  const option = new Option(
    `${flagName(path)} ${isSwitch ? `[${placeholder}]` : `<${placeholder}>`}`,
    `${help}${shown} [env: ${environmentName(path)}]`,
  );
  // Commander would derive a name from the flag. With the path of the setting no translation is needed.
  option.attributeName = () => path;
  return option;
}

/** `--profile` of a login of "watchword login": the setting of that name is none of the command. */
export function loginOption(description: string): Option {
  const option = new Option('--profile <name>', description);
  option.attributeName = () => 'loginProfile';
  return option;
}

/** The members of a list that an option replaces. A single `""` makes the list empty. */
export function members(values: readonly string[]): string[] {
  return values.filter((value) => value !== '');
}

/** @throws UsageError */
export function trueOrFalse(name: string): (text: string) => boolean {
  return (text) => {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`${name}: expected true or false, got ${shown(text, 80)}`);
  };
}
