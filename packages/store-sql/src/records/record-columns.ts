import {
  type Client,
  clientFields,
  clientNames,
  clientTexts,
  type FormerResource,
  formatScope,
  isStoredConfidential,
  type ManagedChange,
  type NewClient,
  type NewResourceServer,
  type ResourceServer,
  resourceServerFields,
  resourceServerTexts,
  type SearchedClient,
  type SearchedResourceServer,
} from '@watchword/protocol';
import type { Selectable } from 'kysely';
import { readOtherServers, writeOtherServers } from '../queries/other-servers-column.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { ClientTable, ManagedColumns, ResourceServerTable } from '../schema/schema.ts';
import { type SearchColumns, searchColumns } from '../schema/search-columns.ts';
import { recordMetadata } from './record-metadata.ts';
import { clientSecretColumns, secretColumns, toClientSecret, toSecret } from './secret-columns.ts';

/**
 * Converts between the records of the rules and the rows of the tables. A field has a column if a query filters, joins or
 * updates by it. All other fields are in the JSON object `metadata`.
 */

const resourceServerMetadata = recordMetadata(resourceServerFields, [
  'id',
  'name',
  'key',
  'scopes',
  'owner',
  'ownerAuthority',
  'managedBy',
]);

export function toResourceServer(row: Selectable<ResourceServerTable>): ResourceServer {
  return {
    ...resourceServerMetadata.read(row.metadata),
    id: row.id,
    name: row.server_name,
    key: row.server_key,
    secret: toSecret(row.secret_hash, row),
    scopes: parseScopes(row.scopes),
    owner: row.owner_name,
    ownerAuthority: row.owner_identity_provider,
    managedBy: row.managed_by ?? '',
    revision: row.revision,
  };
}

/** What the metadata of a resource server has beside its fields. */
const formerMember = 'formerResources';

export function readFormerResources({
  metadata,
}: Pick<ResourceServerTable, 'metadata'>): readonly FormerResource[] {
  // Before the text is parsed: nearly no resource server has one.
  return metadata.includes(`"${formerMember}":`) ? (JSON.parse(metadata)[formerMember] ?? []) : [];
}

export function withFormerResources(metadata: string, former: readonly FormerResource[]): string {
  if (former.length === 0 && !metadata.includes(`"${formerMember}":`)) return metadata;
  const { [formerMember]: _, ...fields } = JSON.parse(metadata);
  return JSON.stringify(former.length === 0 ? fields : { ...fields, [formerMember]: former });
}

/** @param key that is registered @param stored the metadata of the row that is to be changed */
export function resourceServerColumns(
  server: NewResourceServer,
  key: string,
  revision: number,
  stored?: string,
) {
  return {
    server_key: key,
    revision,
    ...resourceServerSearchColumns({ ...server, key }, revision),
    ...secretColumns(server.secret),
    server_name: server.name,
    scopes: formatScope(server.scopes),
    owner_name: server.owner,
    owner_identity_provider: server.ownerAuthority,
    ...managedColumns(server),
    metadata: resourceServerMetadata.write(server, stored),
  };
}

const clientMetadata = recordMetadata(clientFields, [
  'id',
  'clientId',
  'clientName',
  'resourceServerId',
  'scopes',
  'otherResourceServers',
  'skipConsent',
  'trusted',
  'keepsUserData',
  'managedBy',
]);

export function toClient(
  row: Omit<Selectable<ClientTable>, 'creation_date' | 'deleted_at' | 'applied_digest' | keyof SearchColumns>,
): Client {
  const fields = clientMetadata.read(row.metadata);
  return {
    ...fields,
    confidential: isStoredConfidential(fields),
    id: row.id,
    clientId: row.client_id,
    secret: toClientSecret(row),
    clientName: row.client_name,
    resourceServerId: row.resource_server_id,
    scopes: parseScopes(row.scopes),
    ...readOtherServers(row.other_servers),
    skipConsent: row.skip_consent === 1,
    trusted: row.is_trusted === 1,
    keepsUserData: row.keeps_user_data === 1,
    managedBy: row.managed_by ?? '',
    tokensValidFrom: row.tokens_valid_from,
    revision: row.revision,
  };
}

const usualMetadata = clientMetadata.pattern({ confidential: true, allowedImplicitGrant: false });

/**
 * Whether the row is that of a confidential client of one resource server, of one secret, as this release writes it, which {@link toClient}
 * can read. Of others this is not known.
 */
export function isUsualClient({
  metadata,
  other_servers,
  secrets,
}: Pick<Selectable<ClientTable>, 'metadata' | 'other_servers' | 'secrets'>): boolean {
  return other_servers === null && secrets === null && usualMetadata.test(metadata);
}

/** @param clientId that is registered @param stored the metadata of the row that is to be changed */
export function clientColumns(
  client: NewClient & Pick<Client, 'formerResourceServers'>,
  clientId: string,
  revision: number,
  stored?: string,
) {
  return {
    client_id: clientId,
    revision,
    ...clientSearchColumns({ ...client, clientId }, revision),
    ...clientSecretColumns(client.secret),
    client_name: client.clientName,
    resource_server_id: client.resourceServerId,
    scopes: formatScope(client.scopes),
    other_servers: writeOtherServers(client),
    skip_consent: Number(client.skipConsent),
    is_trusted: Number(client.trusted),
    keeps_user_data: Number(client.keepsUserData),
    tokens_valid_from: client.tokensValidFrom,
    ...managedColumns(client),
    metadata: clientMetadata.write(client, stored),
  };
}

/** The digest stays as it is where none is given. */
function managedColumns({ managedBy = '', appliedDigest }: ManagedChange): Partial<ManagedColumns> {
  if (managedBy === '') return { managed_by: null, applied_digest: null };
  return { managed_by: managedBy, ...(appliedDigest !== undefined && { applied_digest: appliedDigest }) };
}

export function clientSearchColumns(client: SearchedClient, revision: number): SearchColumns {
  const names = clientNames(client);
  return searchColumns(revision, names, clientTexts(client).slice(names.length));
}

export function resourceServerSearchColumns(server: SearchedResourceServer, revision: number): SearchColumns {
  return searchColumns(revision, [], resourceServerTexts(server));
}
