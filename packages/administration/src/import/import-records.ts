import {
  clientDefaults,
  OAuthError,
  type Passwords,
  type ResourceServer,
  registrationOf,
  type SectorDocument,
  type SectorIdentifiers,
  sectorUriToCheck,
  type TransactionStores,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { undoable } from '../changes/undoable.ts';
import { checkJwtClients } from '../resource-servers/jwt-clients.ts';
import { importClient } from './import-client.ts';
import { importResourceServer } from './import-resource-server.ts';
import { type ImportDependencies, secretsForImport } from './import-secrets.ts';
import type { Done, ImportedClient, ImportedRecord, ImportedResourceServer } from './imported-record.ts';

export interface ImportReport {
  /** Whether the records are stored. Otherwise nothing has changed. */
  readonly isStored: boolean;
  /** In the order of the import. */
  readonly records: readonly ImportedRecord[];
}

interface ImportOptions {
  /** Nothing is stored, and the report is the same. */
  readonly isDryRun: boolean;
  /** Hashes secrets that can be guessed; `undefined`: they are refused. */
  readonly weakSecrets: Passwords | undefined;
  /** A record without a secret gets one that nobody knows, until it is rotated. Default: it is refused. */
  readonly makesSecrets?: boolean;
  /** Called after each record. */
  readonly onRecord?: ((done: number) => void) | undefined;
}

/**
 * Imports resource servers and clients with their secrets, all of them or none, in one transaction. A record that exists is
 * changed to the fields of the import; its secret and its owner must be the same. A second import changes nothing.
 *
 * @param caller an administrator
 */
export async function importRecords(
  caller: Caller,
  deps: AdministrationDependencies,
  resourceServers: readonly ImportedResourceServer[],
  { isDryRun, weakSecrets, makesSecrets = false, onRecord }: ImportOptions,
): Promise<ImportReport> {
  // Before the transaction, which must not wait for other servers, nor for slow hashes.
  const sectorIdentifiers = await readForImport(
    deps,
    resourceServers.flatMap(({ clients }) => clients),
  );
  const secrets = await secretsForImport(deps, resourceServers, weakSecrets, makesSecrets);
  return undoable((undo: (report: ImportReport) => never) =>
    deps.transact(async (stores) => {
      const records = await importAll(
        caller,
        { ...within(deps, stores), sectorIdentifiers, secrets },
        resourceServers,
        onRecord,
      );
      const isRefused = records.some(({ outcome }) => outcome === 'refused');
      if (isDryRun || isRefused) undo({ isStored: false, records });
      return { isStored: true, records };
    }),
  );
}

/** The same dependencies, with the open transaction for every change and its audit events. */
function within(deps: AdministrationDependencies, stores: TransactionStores): AdministrationDependencies {
  return { ...deps, ...stores, transact: (work) => work(stores) };
}

async function importAll(
  caller: Caller,
  deps: ImportDependencies,
  resourceServers: readonly ImportedResourceServer[],
  onRecord: ImportOptions['onRecord'],
): Promise<ImportedRecord[]> {
  const seen = new Set<string>();
  let done = 0;
  const attempt = async <Stored>(
    recordType: ImportedRecord['recordType'],
    name: string,
    work: () => Promise<Done<Stored>>,
  ): Promise<Attempt<Stored>> => {
    try {
      if (seen.has(`${recordType} ${name}`)) throw violation('is in the import twice');
      seen.add(`${recordType} ${name}`);
      const { stored, ...result } = await work();
      return { record: { recordType, name, ...result }, stored };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const details = error.violations ?? [error.message];
      return { record: { recordType, name, outcome: 'refused', details }, stored: undefined };
    } finally {
      done += 1;
      onRecord?.(done);
    }
  };
  const servers: Attempt<ResourceServer>[] = [];
  for (const given of resourceServers)
    servers.push(await attempt('resourceServer', given.key, () => importResourceServer(caller, deps, given)));
  // Afterwards: a client can use resource servers that come later.
  const records: ImportedRecord[] = [];
  for (const [at, { record, stored }] of servers.entries()) {
    const ofClients: ImportedRecord[] = [];
    for (const client of resourceServers[at]?.clients ?? []) {
      const attempted = await attempt('client', client.clientId, () => {
        if (stored === undefined) throw violation('its resource server was refused');
        return importClient(caller, deps, stored, client);
      });
      ofClients.push(attempted.record);
    }
    records.push(await afterItsClients(record, stored, deps), ...ofClients);
  }
  return records;
}

interface Attempt<Stored> {
  readonly record: ImportedRecord;
  /** `undefined` if it was refused. */
  readonly stored: Stored | undefined;
}

/** The import can correct the clients that stand in the way of JWTs, so they are checked as they are afterwards. */
async function afterItsClients(
  record: ImportedRecord,
  resourceServer: ResourceServer | undefined,
  { clients }: AdministrationDependencies,
): Promise<ImportedRecord> {
  if (resourceServer === undefined || record.outcome !== 'changed') return record;
  try {
    await checkJwtClients(resourceServer, clients);
    return record;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { ...record, outcome: 'refused', details: error.violations ?? [error.message] };
  }
}

function violation(reason: string): OAuthError {
  return new OAuthError('invalid_request', { rule: 'valid_record', violations: [reason] });
}

// Requests at the same time. A file can have many clients, and each of their servers can be slow.
const atATime = 10;

// A lookup of every client before the import would cost as much as the import.
const notNamed: SectorDocument = {
  problem: 'must be in the import too, because the redirect URIs of the client change',
};

/** Requests the documents that the clients of an import depend on, and returns them to those who ask for them later. */
export async function readForImport(
  deps: Pick<AdministrationDependencies, 'clients' | 'sectorIdentifiers'>,
  clients: readonly Pick<ImportedClient, 'clientId' | 'submitted'>[],
): Promise<SectorIdentifiers> {
  const uris = new Set<string>();
  for (const client of clients) {
    const uri = await uriOf(client, deps);
    if (uri !== undefined) uris.add(uri);
  }
  const documents = await readAll([...uris], deps.sectorIdentifiers);
  return { read: async (uri) => documents.get(uri) ?? notNamed };
}

async function uriOf(
  { clientId, submitted }: Pick<ImportedClient, 'clientId' | 'submitted'>,
  { clients }: Pick<AdministrationDependencies, 'clients'>,
): Promise<string | undefined> {
  const changes = submitted.apply(clientDefaults);
  if (!changes.sectorIdentifierUri) return undefined;
  const stored = await clients.find(clientId);
  const before = stored && registrationOf(stored);
  return sectorUriToCheck({ ...(before ?? clientDefaults), ...changes }, before);
}

async function readAll(
  uris: readonly string[],
  sectorIdentifiers: SectorIdentifiers | undefined,
): Promise<Map<string, SectorDocument>> {
  const documents = new Map<string, SectorDocument>();
  if (sectorIdentifiers === undefined) return documents;
  const waiting = uris.values();
  const work = async () => {
    for (const uri of waiting) documents.set(uri, await sectorIdentifiers.read(uri));
  };
  await Promise.all(Array.from({ length: Math.min(atATime, uris.length) }, work));
  return documents;
}
