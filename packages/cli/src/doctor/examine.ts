import { driftInWords, driftReader } from '@watchword/administration';
import { examineServer } from '@watchword/doctor/examine-server';
import { broken, type NamedFinding, ok, warning } from '@watchword/doctor/finding';
import { type Records, registrationOf } from '@watchword/doctor/flow/registration';
import type { Patient } from '@watchword/doctor/patient';
import { sender } from '@watchword/doctor/send';
import { KeyRing, shown } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { systemClock, systemRandom } from '@watchword/server/system';
import { DatabaseOpenError, openStore, type Store } from '@watchword/store-sql';
import { localAdministration } from '../administration/local/administration.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { configurationOf, databaseOf, type Options } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { expiringSecrets } from '../records/clients/expiring-secrets.ts';
import { probeUrl } from '../serving/healthcheck.ts';
import { clientProofOf } from './client-proof.ts';
import { createReport, type Report } from './report.ts';
import { secretsOf } from './secrets.ts';

/** Examines the server that the options name, and the flow of a client. */
export async function examine(clientId: string | undefined, options: Options): Promise<void> {
  if (options.url !== undefined) return fromOutside(baseUrlOf(String(options.url)), clientId, options);
  const { configuration, named, shown } = await databaseOf(options);
  const baseUrl = configuration.baseUrl.replace(/\/+$/, '');
  const report = createReport(options, { url: baseUrl, client: clientId });
  const store = await openStore({ ...named, clock: systemClock, isMachineClock: true }).catch((error) => {
    if (!(error instanceof DatabaseOpenError) || clientId !== undefined) throw error;
    report.add(noDatabase(error.message));
    return undefined;
  });
  try {
    const sealer = store && (await sealerOf(store));
    if (store !== undefined && sealer === undefined) report.add(unusedDatabase(shown));
    else if (store !== undefined && clientId === undefined) {
      for (const finding of await configurationFindings(store)) report.add(finding);
      for await (const found of expiringSecrets(store)) report.add(expiringSecret(found));
    }
    const localUrl = localUrlOf(configuration);
    const patient: Patient = { ...seenFromHere(baseUrl), localUrl, configuration, sealer };
    const records = store && (await localAdministration(store, configuration));
    await examineAll(clientId, patient, records, { options, report, configuration });
  } finally {
    await store?.close();
  }
  report.end();
}

interface Means {
  readonly options: Options;
  readonly report: Report;
  readonly configuration: Pick<Configuration, 'outbound.privateHosts'>;
}

async function fromOutside(baseUrl: string, clientId: string | undefined, options: Options): Promise<void> {
  const report = createReport(options, { url: baseUrl, client: clientId });
  const patient = {
    ...seenFromHere(baseUrl),
    localUrl: undefined,
    configuration: undefined,
    sealer: undefined,
  };
  const { configuration } = await configurationOf({ ...options, url: undefined });
  const means = { options, report, configuration };
  if (clientId === undefined) await examineAll(clientId, patient, undefined, means);
  else {
    await withAdministration(options, ({ administration }) =>
      examineAll(clientId, patient, administration, means),
    );
  }
  report.end();
}

async function examineAll(
  clientId: string | undefined,
  patient: Patient,
  records: Records | undefined,
  { options, report, configuration }: Means,
): Promise<void> {
  // Read first, so that a wrong clientId and wrong text on standard input are reported at once.
  const registration =
    clientId === undefined || records === undefined ? undefined : await registrationOf(clientId, records);
  const proof = await clientProofOf(options);
  using secrets = await secretsOf(options.io, options.secretsStdin === true);
  const server = await examineServer(patient, report.add);
  if (registration === undefined || server === undefined || report.isBroken) return;
  // Loaded here: what reads pages is only needed for a flow.
  const { playFlow } = await import('@watchword/doctor/flow/play-flow');
  const { login, authenticator } = options;
  const means = { options: { login, authenticator }, configuration, secrets, ...proof, add: report.add };
  await playFlow(registration, server, means);
}

function seenFromHere(baseUrl: string) {
  return { baseUrl, clock: systemClock, send: sender(systemClock) };
}

/** `undefined` for a database on which no server has ever run. */
async function sealerOf({ sealingKeys }: Store): Promise<KeyRing | undefined> {
  if ((await sealingKeys.list()).length === 0) return undefined;
  return KeyRing.openExisting({ sealingKeys, clock: systemClock, random: systemRandom });
}

/** Whether the records of configurations are as they were applied; nothing without configurations. */
async function configurationFindings(store: Store): Promise<readonly NamedFinding[]> {
  const check = 'configurations';
  const drifts = await driftReader(store)();
  const problems = driftInWords(drifts);
  if (problems.length > 0) return problems.map((found) => ({ check, verdict: 'warning', found }));
  if (drifts.length === 0) return [];
  return [{ check, ...ok('all managed records are as they were applied') }];
}

function expiringSecret(found: string): NamedFinding {
  const cure = {
    expected: 'a secret that lasts',
    advice: 'give the client one: watchword client add-secret',
  };
  return { check: 'client-secrets', ...warning(found, cure) };
}

function localUrlOf(configuration: Configuration): string | undefined {
  return configuration.port === 0 ? undefined : probeUrl(configuration, '');
}

const databaseAdvice =
  'name the database of the server by --database or --config. Use --url to examine a server without its database';

function noDatabase(problem: string): NamedFinding {
  const cure = { expected: 'the database of the server', advice: databaseAdvice };
  return { check: 'database', ...broken(problem, cure) };
}

function unusedDatabase(database: string): NamedFinding {
  const cure = { expected: 'the database of the server that answers', advice: databaseAdvice };
  return { check: 'database', ...broken(`no server has ever run on the database ${database}`, cure) };
}

/** @throws UsageError */
function baseUrlOf(given: string): string {
  const url = URL.parse(given);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(
      `--url: expected the base URL of a server, such as https://id.example.com, got ${shown(given, 80)}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
