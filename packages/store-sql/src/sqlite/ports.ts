import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { accessTokenList } from '../access-token-list.ts';
import { sqlAccounts } from '../accounts.ts';
import { sqlClients } from '../clients.ts';
import { sqlGrants } from '../grants.ts';
import type { GroupCommit } from '../group-commit.ts';
import { sqlResourceServers } from '../resource-servers.ts';
import type { Schema } from '../schema.ts';
import { sqlSealingKeys } from '../sealing-keys.ts';
import type { Store } from '../store.ts';
import { sqliteAccessTokens } from './access-tokens.ts';
import { sqliteAuthorizationCodes } from './authorization-codes.ts';
import { sqliteConsents } from './consents.ts';
import { sqliteGrants } from './grants.ts';
import { sqliteLoginAttempts } from './login-attempts.ts';
import { sqliteLoginSessions } from './login-sessions.ts';
import { sqliteRefreshTokens } from './refresh-tokens.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export interface Connections {
  /** Of this thread, read-only: what is hot is looked up here. */
  readonly reader: DatabaseSync;
  /** Hot writes. */
  readonly writes: GroupCommit<WriteOperation, WriteResult>;
  /** Everything else, on the connection that writes. */
  readonly db: Kysely<Schema>;
  readonly clock: Clock;
}

/** Every port of the rules, over one database. */
export function sqlitePorts({ reader, writes, db, clock }: Connections): Omit<Store, 'reap' | 'close'> {
  return {
    accessTokens: { ...sqliteAccessTokens(reader, writes), list: accessTokenList(db) },
    accounts: sqlAccounts(db),
    authorizationCodes: sqliteAuthorizationCodes(reader, writes),
    clients: sqlClients(db, clock),
    consents: sqliteConsents(reader, writes),
    grants: { ...sqliteGrants(writes), ...sqlGrants(db) },
    loginAttempts: sqliteLoginAttempts(reader, writes),
    loginSessions: sqliteLoginSessions(reader, writes),
    refreshTokens: sqliteRefreshTokens(reader, writes),
    resourceServers: sqlResourceServers(db, clock),
    sealingKeys: sqlSealingKeys(db),
  };
}
