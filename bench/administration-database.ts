import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openForRows, type RowWriter, rowWriter, timeOrderedBytes } from './database-rows.ts';

/** What the database is filled with. */
export const sizes = {
  resourceServers: 1000,
  clients: 100_000,
  tokens: 1_000_000,
  auditEvents: 100_000,
} as const;

/** Module that vouches for everybody here. */
const authority = 'any-person';

/** Owns every third resource server, and granted every twentieth token. */
export const ownerOfMany = 'owner-of-many';
/** Owns the last resource server, and granted five tokens long ago. */
export const ownerOfFew = 'owner-of-few';

/** The resource server that has a tenth of all clients; its clients have the tokens of two clients in three. */
export const largeServer = 'Service 1';
/** The client that has a twentieth of all tokens. */
export const largeClient = 'client-1';

const largeServerClients = sizes.clients / 10;
const largeClientTokens = sizes.tokens / 20;
/** A page of clients of which each has more tokens than the statistics look at in most. */
const busyClients = 100;
const busyClientTokens = 3000;
const grantsOfMany = 25_000;
const persons = 10_000;
const hourMs = 3_600_000;

/**
 * Fills the tables of a migrated database that no server has open, past all ports: a million rows through them would
 * take as many signatures of nothing. The rows are as the ports would have written them.
 */
export function fillDatabase(file: string): void {
  const database = openForRows(file);
  const firstServer = nextId(database, 'resource_server');
  const firstClient = nextId(database, 'client');
  const write = rowWriter(database);
  const now = Date.now();
  const serverOf = (client: number) =>
    client < largeServerClients ? 0 : 1 + (client % (sizes.resourceServers - 1));

  for (let index = 0; index < sizes.resourceServers; index += 1) {
    write('resource_server', {
      id: firstServer + index,
      key: `service-${index + 1}`,
      secret_hash: randomBytes(32),
      previous_secret_hash: null,
      previous_secret_valid_until: 0,
      name: `Service ${index + 1}`,
      description: 'One of many services.',
      scopes: 'read write',
      contact_name: 'Operations',
      contact_email: 'operations@example.com',
      thumb_nail_url: '',
      owner: ownerOf(index),
      owner_authority: authority,
      creation_date: now,
      revision: 1,
    });
  }
  for (let index = 0; index < sizes.clients; index += 1) {
    write('client', {
      id: firstClient + index,
      client_id: `client-${index + 1}`,
      secret_hash: randomBytes(32),
      previous_secret_hash: null,
      previous_secret_valid_until: 0,
      client_name: `Client ${index + 1}`,
      description: 'One of many clients.',
      contact_name: 'Operations',
      contact_email: 'operations@example.com',
      thumb_nail_url: '',
      resource_server_id: firstServer + serverOf(index),
      scopes: 'read write',
      redirect_uris: '["https://app.example.com/callback"]',
      allowed_client_credentials: 1,
      allowed_implicit_grant: 0,
      use_refresh_tokens: 1,
      skip_consent: 0,
      include_principal: 0,
      expire_duration: 3600,
      attributes: '{}',
      tokens_valid_from: 0,
      creation_date: now - 30 * 24 * hourMs,
      revision: 1,
    });
  }
  writeTokens(write, firstClient, now);
  writeAuditLog(write, now, firstServer);
  writeCounts(write, firstServer, now);
  write.end();
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function ownerOf(server: number): string {
  if (server === sizes.resourceServers - 1) return ownerOfFew;
  return server % 3 === 0 ? ownerOfMany : `owner-${server % 50}`;
}

/** Oldest first; two in five hang on a grant, two on each. A third has expired, and is kept for a day. */
function writeTokens(write: RowWriter, firstClient: number, now: number): void {
  let grant: Buffer | null = null;
  for (let index = 0; index < sizes.tokens; index += 1) {
    const moment = now - 20 * hourMs + Math.floor((index / sizes.tokens) * 20 * hourMs);
    const client = firstClient + clientOf(index);
    const expires = index % 3 === 0 ? now - (index % 1000) : now + 24 * hourMs;
    if (index % 5 === 0) {
      const name = personOf(index / 5);
      grant = timeOrderedBytes(moment);
      write('grant', {
        id: grant,
        client_record_id: client,
        authority,
        principal_name: name,
        principal: JSON.stringify({ name, roles: [], groups: [], adminPrincipal: false, attributes: {} }),
        scopes: 'read write',
        creation_date: moment,
        last_used: moment,
        expires: now + 48 * hourMs,
        revoked_at: null,
      });
    }
    write('access_token', {
      id: timeOrderedBytes(moment),
      verifier_hash: randomBytes(32),
      client_record_id: client,
      scopes: 'read',
      expires,
      creation_date: moment,
      grant_id: index % 5 < 2 ? grant : null,
    });
  }
}

/** Tokens that come in fives go to the same client. */
function clientOf(token: number): number {
  const five = Math.floor(token / 5);
  const share = (five % 100) / 100;
  if (share < largeClientTokens / sizes.tokens) return 0;
  if (share < (largeClientTokens + busyClients * busyClientTokens) / sizes.tokens) {
    return 1 + (five % busyClients);
  }
  return busyClients + 1 + (five % (sizes.clients - busyClients - 1));
}

function personOf(grant: number): string {
  if (grant < 5) return ownerOfFew;
  const every = Math.floor(sizes.tokens / 5 / grantsOfMany);
  return grant % every === 0 ? ownerOfMany : `person-${grant % persons}`;
}

function writeAuditLog(write: RowWriter, now: number, firstServer: number): void {
  for (let index = 0; index < sizes.auditEvents; index += 1) {
    const moment = now - 24 * hourMs + Math.floor((index / sizes.auditEvents) * 24 * hourMs);
    const server = index % sizes.resourceServers;
    write('audit_event', {
      id: timeOrderedBytes(moment),
      time: moment,
      actor_authority: authority,
      actor: ownerOf(server),
      client_id: 'authorization-server-admin-js-client',
      source: '127.0.0.1',
      action: 'update',
      record_type: 'resourceServer',
      record_id: String(firstServer + server),
      record_name: `service-${server + 1}`,
      owner_authority: authority,
      owner: ownerOf(server),
      before: '{"description":""}',
      after: '{"description":"One of many services."}',
    });
  }
}

/** A month in which 200 resource servers had tokens issued in every hour, by two grants. */
function writeCounts(write: RowWriter, firstServer: number, now: number): void {
  const hour = Math.floor(now / hourMs);
  const servers = [0, ...Array.from({ length: 200 }, (_, index) => firstServer + index)];
  for (const resource_server_id of servers) {
    for (let back = 743; back >= 0; back -= 1) {
      for (const grant_type of ['authorization_code', 'client_credentials']) {
        write('issued_by_hour', {
          resource_server_id,
          hour: hour - back,
          grant_type,
          tokens: 1 + (back % 7),
        });
      }
    }
  }
}

function nextId(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select coalesce(max(id), 0) + 1 as id from ${table}`).get()?.id);
}
