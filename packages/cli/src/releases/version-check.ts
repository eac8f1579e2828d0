import { databaseOptions } from '@watchword/server/config/database-options';
import { type ReadConfiguration, readConfiguration } from '@watchword/server/config/load';
import { metricsToken } from '@watchword/server/config/metrics-token';
import type { Configuration } from '@watchword/server/config/settings';
import { ConfigurationError, type Problem } from '@watchword/server/configuration-error';
import { composeUserClaims } from '@watchword/server/core/openid';
import { composePages } from '@watchword/server/core/pages';
import { keyHolders } from '@watchword/server/core/signing';
import { version } from '@watchword/server/version';
import {
  DatabaseOpenError,
  type Inspection,
  inspect,
  type SeenServers,
  shownDatabase,
} from '@watchword/store-sql';
import { type Options, sourcesOf } from '../command/options.ts';
import { whatWouldChange } from './pending-migrations.ts';

/** What stands in the way of this release, and what an operator should know. */
export interface VersionReport {
  /** Whether this release can start here. */
  readonly ready: boolean;
  readonly configuration: { readonly findings: readonly Problem[]; readonly notes: readonly string[] };
  readonly database: DatabaseReport;
  readonly servers: readonly SeenServers[];
}

interface DatabaseReport extends Partial<Omit<Inspection, 'problem' | 'servers'>> {
  /** Without its password; left out if the configuration does not tell it. */
  readonly name?: string;
  readonly findings: readonly string[];
}

interface VersionCheck {
  readonly words: readonly string[];
  readonly report: VersionReport & Readonly<Record<string, unknown>>;
}

/** Compares this release with configuration, database and servers. Everything is only read. */
export async function checkVersion(options: Options): Promise<VersionCheck> {
  const read = await readConfiguration(sourcesOf(options));
  const ofFiles = read.problems.length > 0 ? [] : await problemsOfFiles(read.configuration);
  const problems = [...read.problems, ...ofFiles];
  const configuration = { findings: problems, notes: read.warnings };
  const { database, servers } = await compareDatabase(read);
  const ready = problems.length === 0 && database.findings.length === 0;
  const report = { ready, configuration, database, servers };
  return { report, words: inWords(report) };
}

/** Problems in the files that settings name, which a start finds when the settings themselves are right. */
async function problemsOfFiles(configuration: Configuration): Promise<Problem[]> {
  // Texts of the operator can be those of a module, which is not loaded here.
  const withoutTexts = { ...configuration, 'pages.locales': undefined };
  const checks = [
    () => composePages({ configuration: withoutTexts, logger: { error() {} } }, []),
    () => composeUserClaims(configuration),
    () => metricsToken(configuration),
    () => keyHolders(configuration),
  ];
  const problems: Problem[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
    }
  }
  return problems;
}

async function compareDatabase(
  read: ReadConfiguration,
): Promise<Pick<VersionReport, 'database' | 'servers'>> {
  if (!isDatabaseKnown(read)) return { database: { findings: [] }, servers: [] };
  const name = shownDatabase(read.configuration.database);
  try {
    const { problem, servers, ...schema } = await inspect(databaseOptions(read.configuration));
    const findings = problem === undefined ? [] : [`The database ${name} ${problem}`];
    return { database: { name, findings, ...schema }, servers };
  } catch (error) {
    if (!(error instanceof DatabaseOpenError)) throw error;
    return { database: { name, findings: [error.message] }, servers: [] };
  }
}

/** Not if the source that would name the database could not be read: the default would be another database. */
function isDatabaseKnown({ problems, origins }: ReadConfiguration): boolean {
  const isNamed = origins.database !== 'default' && origins.database !== 'file';
  return !problems.some(({ path }) =>
    path === 'config' ? !isNamed : path === 'database' || path === 'databaseUrlFile',
  );
}

function inWords({ ready, configuration, database, servers }: VersionReport): string[] {
  const findings = configuration.findings.map(({ path, place, problem }) => `${path} (${place}): ${problem}`);
  return [
    findings.length === 0
      ? 'Configuration: this release accepts it.'
      : 'Configuration: a server with this release does not start:',
    ...indented(findings),
    ...indented(configuration.notes.map((note) => `warning: ${note}`)),
    ...labelled('Database', databaseInWords(database)),
    ...labelled('Servers', serversInWords(servers, database)),
    ready
      ? 'Ready: this release can start here.'
      : 'Not ready. Nothing was changed; mend what stands above, and run the command again.',
  ];
}

function databaseInWords({ name, findings, applied, pending, unknown }: DatabaseReport): string[] {
  if (name === undefined) return ['not compared, because the configuration does not tell which one it is.'];
  if (applied === undefined || pending === undefined || unknown === undefined || findings.length > 0)
    return [...findings];
  return whatWouldChange(name, { applied, pending, unknown });
}

function serversInWords(servers: readonly SeenServers[], { pending = [] }: DatabaseReport): string[] {
  if (servers.length === 0) return ['none is seen at the database.'];
  const lines = servers.map(serverInWords);
  const isOlder = ({ release }: SeenServers) =>
    release !== undefined && compareReleases(release, version) < 0;
  const waits = pending.filter(({ requires }) => requires !== undefined).map(({ name }) => name);
  const older = servers.filter((seen) => seen.connections !== undefined && isOlder(seen));
  if (waits.length === 0 || older.length === 0) return lines;
  return [
    ...lines,
    `Run "watchword migrate --finish" (${waits.join(', ')}) when no older server is connected any more.`,
  ];
}

function serverInWords({ release, connections, since }: SeenServers): string {
  const at = since === undefined ? '' : new Date(since).toISOString();
  const which =
    release === undefined ? 'a release that is unknown' : `release ${release}${relation(release)}`;
  if (connections === undefined) return `the last one started at ${at}, of ${which}.`;
  return `${connections} connections of ${which}${at && `, the oldest since ${at}`}.`;
}

function relation(release: string): string {
  const order = compareReleases(release, version);
  if (order === 0) return ', which is this one';
  return order < 0 ? ', which is older' : ', which is newer';
}

function labelled(label: string, lines: readonly string[]): string[] {
  const [first = '', ...others] = lines;
  return [`${label}: ${first}`, ...others];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The order of two releases (Semantic Versioning 2.0.0 §11): negative if the first one is older. */
export function compareReleases(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  for (const index of [0, 1, 2]) {
    const difference = Number(a.numbers[index]) - Number(b.numbers[index]);
    if (difference !== 0) return difference;
  }
  // A release comes after its previews.
  if (a.preview === '' || b.preview === '') return Number(a.preview === '') - Number(b.preview === '');
  return a.preview.localeCompare(b.preview, 'en', { numeric: true });
}

function parts(release: string) {
  const [core = '', preview = ''] = release.replace(/\+.*/, '').split(/-(.*)/s);
  return { numbers: core.split('.'), preview };
}
