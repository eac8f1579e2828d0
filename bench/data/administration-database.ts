import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { subjectOf } from '@watchword/protocol';
import { identityProvider, writeAccounts, writeAuditLog, writeCounts } from './administration-history.ts';
import { openForRows, type RowWriter, rowWriter, timeOrderedBytes, tokensPerSegment } from './database-rows.ts';

/** What the database is filled with. */
export const sizes = {
  resourceServers: 1000,
  clients: 100_000,
  tokens: 1_000_000,
  grants: 1_000_000,
  consents: 200_000,
  auditEvents: 100_000,
  accounts: 100_000,
} as const;

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

const contact = { contactName: 'Operations', contactEmail: 'operations@example.com', thumbNailUrl: '' };
const clientMetadata = JSON.stringify({
  description: 'One of many clients.',
  ...contact,
  redirectUris: ['https://app.example.com/callback'],
  allowedClientCredentials: true,
  allowedImplicitGrant: false,
  useRefreshTokens: true,
  includePrincipal: false,
  expireDuration: 3600,
  attributes: {},
});

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
      server_key: `service-${index + 1}`,
      secret_hash: randomBytes(32),
      previous_secret_hash: null,
      previous_secret_valid_until: 0,
      server_name: `Service ${index + 1}`,
      scopes: 'read write',
      owner_name: ownerOf(index),
      owner_identity_provider: identityProvider,
      metadata: JSON.stringify({ description: 'One of many services.', ...contact }),
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
      resource_server_id: firstServer + serverOf(index),
      scopes: 'read write',
      skip_consent: 0,
      is_trusted: 0,
      tokens_valid_from: 0,
      metadata: clientMetadata,
      creation_date: now - 30 * 24 * hourMs,
      revision: 1,
    });
  }
  raiseLastNumber(database, 'resource_server', firstServer + sizes.resourceServers);
  raiseLastNumber(database, 'client', firstClient + sizes.clients);
  const subjectOf = subjects(database);
  writeTokens(write, subjectOf, firstClient, now);
  writeGrants(write, subjectOf, firstClient, now);
  writeAuditLog(write, { ...sizes, firstServer, ownerOf }, now);
  writeCounts(write, firstServer, now);
  writeAccounts(write, sizes.accounts, now);
  write.end();
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function ownerOf(server: number): string {
  if (server === sizes.resourceServers - 1) return ownerOfFew;
  return server % 3 === 0 ? ownerOfMany : `owner-${server % 50}`;
}

/** Oldest first; two in five hang on a grant, two on each. A third has expired, and is kept for a day. */
function writeTokens(write: RowWriter, subjectOf: SubjectOf, firstClient: number, now: number): void {
  let grant: Buffer | null = null;
  let segment = 0;
  for (let index = 0; index < sizes.tokens; index += 1) {
    const timestamp = now - 20 * hourMs + Math.floor((index / sizes.tokens) * 20 * hourMs);
    if (index % tokensPerSegment === 0) segment = Math.floor(timestamp / 1000);
    const client = firstClient + clientOf(index);
    const expires = index % 3 === 0 ? now - (index % 1000) : now + 24 * hourMs;
    if (index % 5 === 0) {
      const name = personOf(index / 5);
      grant = timeOrderedBytes(timestamp);
      writeGrant(write, subjectOf, { id: grant, client, name, timestamp, expires: now + 48 * hourMs });
    }
    write('access_token', {
      id: timeOrderedBytes(timestamp),
      verifier_hash: randomBytes(32),
      client_record_id: client,
      scopes: 'read',
      expires,
      creation_date: timestamp,
      grant_id: index % 5 < 2 ? grant : null,
      segment,
    });
  }
}

/** Older grants without an active access token, and consents. Half of the consents have outlived their grant. */
function writeGrants(write: RowWriter, subjectOf: SubjectOf, firstClient: number, now: number): void {
  const older = sizes.grants - sizes.tokens / 5;
  for (let index = 0; index < older; index += 1) {
    const timestamp = now - 40 * hourMs + Math.floor((index / older) * 20 * hourMs);
    const id = timeOrderedBytes(timestamp);
    const client = firstClient + clientOf(index * 5);
    const name = `person-${index % persons}`;
    writeGrant(write, subjectOf, { id, client, name, timestamp, expires: now + 48 * hourMs });
    if (index >= sizes.consents) continue;
    write('consent', {
      client_record_id: client,
      identity_provider: identityProvider,
      principal_name: name,
      redirect_uri: `https://app.example.com/${index}`,
      subject: subjectOf(name),
      scopes: 'read write',
      saved_at: timestamp,
      grant_id: index % 2 === 0 ? id : timeOrderedBytes(timestamp),
      grant_removed: index % 2,
    });
  }
}

type SubjectOf = (name: string) => string;

/** The subjects that the server gives to users of these names. */
function subjects(database: DatabaseSync): SubjectOf {
  const row = database.prepare('select key_bytes from subject_key').get();
  const key = row?.key_bytes as Uint8Array;
  const known = new Map<string, string>();
  return (name) => {
    const subject = known.get(name) ?? subjectOf(key, { identityProvider, name, stableId: undefined });
    known.set(name, subject);
    return subject;
  };
}

interface GrantRow {
  readonly id: Buffer;
  readonly client: number;
  readonly name: string;
  readonly timestamp: number;
  readonly expires: number;
}

function writeGrant(
  write: RowWriter,
  subjectOf: SubjectOf,
  { id, client, name, timestamp, expires }: GrantRow,
): void {
  write('authorization_grant', {
    id,
    client_record_id: client,
    identity_provider: identityProvider,
    principal_name: name,
    principal: JSON.stringify({ name, roles: [], groups: [], adminPrincipal: false, attributes: {} }),
    subject: subjectOf(name),
    authentication: '{}',
    scopes: 'read write',
    creation_date: timestamp,
    last_used: timestamp,
    expires,
    revoked_at: null,
  });
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

/** Records that the server registers later get greater ids. */
function raiseLastNumber(database: DatabaseSync, table: string, last: number): void {
  database.prepare('update number_sequence set last_number = ? where sequence_name = ?').run(last, table);
}

function nextId(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select coalesce(max(id), 0) + 1 as id from ${table}`).get()?.id);
}
