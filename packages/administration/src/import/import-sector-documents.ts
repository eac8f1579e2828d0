import {
  clientDefaults,
  registrationOf,
  type SectorDocument,
  type SectorIdentifiers,
  sectorUriToCheck,
} from '@watchword/protocol';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import type { ImportedClient, ImportedResourceServer } from './imported-record.ts';

// Requests at the same time. A file can have many clients, and each of their servers can be slow.
const atATime = 10;

// A lookup of every client before the import would cost as much as the import.
const notNamed: SectorDocument = {
  problem: 'must be in the import too, because the redirect URIs of the client change',
};

/** Requests the documents that the clients of an import depend on, and returns them to those who ask for them later. */
export async function readForImport(
  deps: Pick<AdministrationDependencies, 'clients' | 'sectorIdentifiers'>,
  resourceServers: readonly ImportedResourceServer[],
): Promise<SectorIdentifiers> {
  const uris = new Set<string>();
  for (const client of resourceServers.flatMap(({ clients }) => clients)) {
    const uri = await uriOf(client, deps);
    if (uri !== undefined) uris.add(uri);
  }
  const documents = await readAll([...uris], deps.sectorIdentifiers);
  return { read: async (uri) => documents.get(uri) ?? notNamed };
}

async function uriOf(
  { clientId, submitted }: ImportedClient,
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
