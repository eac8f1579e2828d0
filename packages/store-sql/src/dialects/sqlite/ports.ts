import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@watchword/protocol';
import { Kysely } from 'kysely';
import { accessTokenList } from '../../access-token-list.ts';
import { accessTokenScan } from '../../access-token-scan.ts';
import { sqlAccounts } from '../../accounts.ts';
import { sqlAuditEvents } from '../../audit-events.ts';
import { sqlClients } from '../../clients.ts';
import { configurationChanges } from '../../configuration-change.ts';
import { sqlDigestKey } from '../../digest-key.ts';
import { sqlGrants } from '../../grants.ts';
import type { GroupCommit } from '../../group-commit.ts';
import { sqlOneTime } from '../../one-time.ts';
import { sqlReadSnapshot } from '../../read-snapshot.ts';
import { sqlResourceServers } from '../../resource-servers.ts';
import type { Schema } from '../../schema.ts';
import { sqlSealingKeys } from '../../sealing-keys.ts';
import { sqlSessionLinks } from '../../session-links.ts';
import { sqlStatistics } from '../../statistics.ts';
import type { Store } from '../../store.ts';
import { sqlSubjectKey } from '../../subject-key.ts';
import { sqlTransact } from '../../transact.ts';
import { sqliteAccessTokens } from './access-tokens.ts';
import { sqliteAuthorizationCodes } from './authorization-codes.ts';
import { sqliteConsentAnswers } from './consent-answers.ts';
import { sqliteConsents } from './consents.ts';
import { sqliteDialect } from './dialect.ts';
import { sqliteGrants } from './grants.ts';
import { sqliteIdentityProviders } from './identity-providers.ts';
import { sqliteLoginAttempts } from './login-attempts.ts';
import { sqliteLoginSessions } from './login-sessions.ts';
import { localConnection, shared } from './reader.ts';
import { sqliteRefreshTokens } from './refresh-tokens.ts';
import { snapshotReads } from './snapshot-reads.ts';
import type { WriteOperation, WriteResult } from './write-operations.ts';

export interface Connections {
  /** Of this thread, read-only: what is hot is looked up here. */
  readonly reader: DatabaseSync;
  /** Hot writes. */
  readonly writes: GroupCommit<WriteOperation, WriteResult>;
  /** Everything else. What it only reads waits for no writer. */
  readonly db: Kysely<Schema>;
  readonly clock: Clock;
}

/** Every port of the rules, over one database. */
export function sqlitePorts({ reader, writes, db, clock }: Connections): Omit<Store, 'purge' | 'close'> {
  const change = configurationChanges(db);
  const read = snapshotReads(reader);
  // For what is found by a key: at once, on this thread.
  const near = new Kysely<Schema>({ dialect: sqliteDialect(shared(localConnection(reader))) });
  const clients = sqlClients(near, change, clock);
  const resourceServers = sqlResourceServers(near, change, clock);
  const sessionLinks = sqlSessionLinks(near);
  return {
    accounts: { ...sqlAccounts(db), find: sqlAccounts(near).find },
    accessTokens: {
      ...sqliteAccessTokens(reader, writes),
      list: accessTokenList(db),
      scan: accessTokenScan(db),
    },
    auditEvents: sqlAuditEvents(db),
    authorizationCodes: sqliteAuthorizationCodes(reader, read, writes),
    consentAnswers: sqliteConsentAnswers(reader, read, writes),
    consents: sqliteConsents(reader, read, writes),
    clients: { ...clients, list: sqlClients(db, change, clock).list },
    digestKey: sqlDigestKey(near),
    subjectKey: sqlSubjectKey(near),
    grants: { ...sqliteGrants(writes), ...sqlGrants(db) },
    identityProviderUse: sqliteIdentityProviders(reader, read, db),
    loginAttempts: sqliteLoginAttempts(reader, writes),
    loginSessions: sqliteLoginSessions(reader, read, writes),
    oneTime: sqlOneTime(db),
    refreshTokens: sqliteRefreshTokens(reader, read, writes),
    readSnapshot: sqlReadSnapshot(db, clock),
    resourceServers: { ...resourceServers, list: sqlResourceServers(db, change, clock).list },
    sealingKeys: { ...sqlSealingKeys(db), list: sqlSealingKeys(near).list },
    statistics: sqlStatistics(db),
    transact: sqlTransact(db, clock),
    sessionLinks: { ...sqlSessionLinks(db), find: sessionLinks.find, findByKey: sessionLinks.findByKey },
  };
}
