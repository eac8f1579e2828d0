import {
  accountImport,
  commandLineCaller,
  type ImportedResourceServer,
  importRecords,
} from '@watchword/administration';
import type { JsonObject } from '@watchword/protocol';
import { registrationRulesOf } from '@watchword/server/core/clients/registration-rules';
import { systemRandom } from '@watchword/server/system';
import { secretsOf } from '../../administration/local/account-secrets.ts';
import { placeInWords } from '../../command/bounded-file.ts';
import { operator } from '../../command/operator.ts';
import type { Options } from '../../command/options.ts';
import { UsageError } from '../../command/usage-error.ts';
import { type ToolContext, withStore } from '../../command/with-store.ts';
import { accountsOfPart, passwordsOfCommand, progressOn } from '../command-parts.ts';
import { parseImport } from '../parse-import.ts';
import { fromApis } from './apis/apis.ts';
import { fromAuth0 } from './auth0.ts';
import { fromHydra } from './hydra.ts';
import { fromKeycloak } from './keycloak/realm.ts';
import { mappingOf } from './mapping.ts';
import { Outcomes, reportInWords, reportOf } from './move-in-report.ts';
import { moveTokens } from './move-tokens.ts';
import { openOutputFiles } from './output-files.ts';
import { foreignJson, foreignJsonOrLines, foreignText } from './read-foreign.ts';
import type { Translation } from './translation.ts';

export interface MoveInOptions extends Options {
  readonly from: string;
  readonly dryRun: boolean;
  readonly accounts: boolean;
  readonly allowWeakSecrets: boolean;
  readonly skipRefused: boolean;
  readonly tokens: boolean;
  readonly identityProvider: string;
  readonly report?: string | undefined;
  readonly mapping?: string | undefined;
}

/** The products whose exports can be imported. */
const products = {
  auth0: async (file, { io }) => fromAuth0(placeInWords(file), await foreignJsonOrLines(file, io)),
  hydra: async (file, { io }) => fromHydra(placeInWords(file), await foreignJson(file, io)),
  apis: async (file, { io, identityProvider }) =>
    fromApis(placeInWords(file), await foreignText(file, io), identityProvider),
  keycloak: async (file, { io }) => fromKeycloak(placeInWords(file), await foreignJson(file, io)),
} satisfies Readonly<Record<string, (file: string, options: MoveInOptions) => Promise<Translation>>>;

/** Imports the export of another product: its clients and APIs, all of them or none, and then its accounts. */
export async function moveIn(file: string, options: MoveInOptions): Promise<void> {
  const translation = await translate(file, options);
  const given = await parseImport(file, { resourceServers: translation.resourceServers });
  // Before anything is stored: a report that cannot be written would be missed then.
  await using files = await openOutputFiles(options);
  await withStore(options, async (context) => {
    const outcomes = new Outcomes();
    const isStored = await moveRecords(given, options, context, outcomes);
    if (isStored || options.dryRun) await moveAccounts(translation.accounts, options, context, outcomes);
    const tokens =
      isStored || options.dryRun ? await moveTokens(translation, options, context, outcomes) : undefined;
    const about = { from: options.from, file, dryRun: options.dryRun, isStored, ...(tokens && { tokens }) };
    const report = reportOf(translation, outcomes, about);
    await files.write('report', report);
    if (!options.dryRun) await files.write('mapping', await mappingOf(translation, context.store));
    context.output.done(reportInWords(report, options), report);
    if (outcomes.hasRefused && !options.skipRefused) options.io.exitCode = 1;
  });
}

function translate(file: string, options: MoveInOptions): Promise<Translation> {
  if (options.accounts)
    throw new UsageError('--accounts is for lines of accounts; an export of --from has its own');
  if (Object.hasOwn(products, options.from))
    return products[options.from as keyof typeof products](file, options);
  throw new UsageError(`--from: expected ${Object.keys(products).join(', ')}, got "${options.from}"`);
}

/** Whether the records are stored. */
async function moveRecords(
  given: readonly ImportedResourceServer[],
  options: MoveInOptions,
  { store, configuration }: ToolContext,
  outcomes: Outcomes,
): Promise<boolean> {
  const deps = { ...store, random: systemRandom, ...registrationRulesOf(configuration) };
  const importAll = (records: readonly ImportedResourceServer[], isDryRun: boolean) =>
    importRecords(commandLineCaller(operator), deps, records, {
      isDryRun,
      weakSecrets: options.allowWeakSecrets ? passwordsOfCommand() : undefined,
      onRecord: progressOn(options.io.stderr, numberOf(records)),
      makesSecrets: true,
    });
  const first = await importAll(given, options.dryRun);
  outcomes.addRecords(first.records);
  if (first.isStored || options.dryRun || !options.skipRefused) return first.isStored;
  const second = await importAll(accepted(given, outcomes), false);
  outcomes.addRecords(second.records);
  return second.isStored;
}

function numberOf(records: readonly ImportedResourceServer[]): number {
  return records.reduce((sum, { clients }) => sum + 1 + clients.length, 0);
}

function accepted(given: readonly ImportedResourceServer[], outcomes: Outcomes): ImportedResourceServer[] {
  return given
    .filter(({ key }) => !outcomes.isRefused('resourceServer', key))
    .map((record) => ({
      ...record,
      clients: record.clients.filter(({ clientId }) => !outcomes.isRefused('client', clientId)),
    }));
}

/** A thousand are stored together, or none of them. */
async function moveAccounts(
  accounts: readonly JsonObject[],
  options: MoveInOptions,
  { store, configuration }: ToolContext,
  outcomes: Outcomes,
): Promise<void> {
  const { dryRun, skipRefused, io } = options;
  const caller = commandLineCaller(operator);
  const deps = {
    ...{ ...store, random: systemRandom, subjectSecret: await store.subjectKey.read() },
    secrets: secretsOf(store, configuration),
  };
  const compare = accountImport(caller, deps, { isDryRun: true });
  const add = accountImport(caller, deps, { isDryRun: dryRun });
  const progress = progressOn(io.stderr, accounts.length);
  for (let from = 0; from < accounts.length; from += accountsOfPart) {
    const whole = accounts
      .slice(from, from + accountsOfPart)
      .map((value, index) => ({ line: from + index, value }));
    const refused = skipRefused && !dryRun ? outcomes.addAccounts(await compare(whole), accounts) : [];
    const reports = await add(whole.filter(({ line }) => !refused.includes(line)));
    const isRefused = outcomes.addAccounts(reports, accounts).length > 0;
    if (isRefused && !dryRun) return;
    progress?.(from + whole.length);
  }
}
