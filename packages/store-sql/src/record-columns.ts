import {
  type Client,
  formatScope,
  type MachineSecret,
  type NewClient,
  type NewResourceServer,
  type ResourceServer,
} from '@watchword/protocol';
import type { Selectable } from 'kysely';
import type { ClientTable, ResourceServerTable } from './schema.ts';
import { parseScopes } from './scope-column.ts';

/** Between the records of the rules and the columns of the tables. */

export function toResourceServer(row: Selectable<ResourceServerTable>): ResourceServer {
  return {
    id: row.id,
    name: row.name,
    key: row.key,
    secret: toSecret(row.secret_hash, row),
    description: row.description,
    scopes: parseScopes(row.scopes),
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    thumbNailUrl: row.thumb_nail_url,
    owner: row.owner,
    ownerAuthority: row.owner_authority,
    revision: row.revision,
  };
}

export function resourceServerColumns(server: NewResourceServer) {
  return {
    ...secretColumns(server.secret),
    name: server.name,
    description: server.description,
    scopes: formatScope(server.scopes),
    contact_name: server.contactName,
    contact_email: server.contactEmail,
    thumb_nail_url: server.thumbNailUrl,
    owner: server.owner,
    owner_authority: server.ownerAuthority,
  };
}

export function toClient(row: Selectable<ClientTable>): Client {
  return {
    id: row.id,
    clientId: row.client_id,
    secret: row.secret_hash === null ? undefined : toSecret(row.secret_hash, row),
    clientName: row.client_name,
    description: row.description,
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    thumbNailUrl: row.thumb_nail_url,
    resourceServerId: row.resource_server_id,
    scopes: parseScopes(row.scopes),
    redirectUris: JSON.parse(row.redirect_uris),
    allowedClientCredentials: row.allowed_client_credentials === 1,
    allowedImplicitGrant: row.allowed_implicit_grant === 1,
    useRefreshTokens: row.use_refresh_tokens === 1,
    skipConsent: row.skip_consent === 1,
    trusted: row.trusted === 1,
    includePrincipal: row.include_principal === 1,
    expireDuration: row.expire_duration,
    attributes: JSON.parse(row.attributes),
    tokensValidFrom: row.tokens_valid_from,
    revision: row.revision,
  };
}

export function clientColumns(client: NewClient) {
  return {
    secret_hash: null,
    previous_secret_hash: null,
    previous_secret_valid_until: 0,
    ...(client.secret && secretColumns(client.secret)),
    client_name: client.clientName,
    description: client.description,
    contact_name: client.contactName,
    contact_email: client.contactEmail,
    thumb_nail_url: client.thumbNailUrl,
    resource_server_id: client.resourceServerId,
    scopes: formatScope(client.scopes),
    redirect_uris: JSON.stringify(client.redirectUris),
    allowed_client_credentials: Number(client.allowedClientCredentials),
    allowed_implicit_grant: Number(client.allowedImplicitGrant),
    use_refresh_tokens: Number(client.useRefreshTokens),
    skip_consent: Number(client.skipConsent),
    trusted: Number(client.trusted),
    include_principal: Number(client.includePrincipal),
    expire_duration: client.expireDuration,
    attributes: JSON.stringify(client.attributes),
    tokens_valid_from: client.tokensValidFrom,
  };
}

export function secretColumns(secret: MachineSecret) {
  return {
    secret_hash: secret.hash,
    previous_secret_hash: secret.previousHash ?? null,
    previous_secret_valid_until: secret.previousValidUntil,
  };
}

function toSecret(
  hash: Uint8Array,
  row: { previous_secret_hash: Uint8Array | null; previous_secret_valid_until: number },
): MachineSecret {
  return {
    hash,
    previousHash: row.previous_secret_hash ?? undefined,
    previousValidUntil: row.previous_secret_valid_until,
  };
}
