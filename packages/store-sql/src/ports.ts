import type { Clock } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { accessTokenList } from './access-token-list.ts';
import { accessTokenScan } from './access-token-scan.ts';
import { hotAccessTokens } from './access-tokens.ts';
import { sqlAccounts } from './accounts.ts';
import { sqlAuditEvents } from './audit-events.ts';
import { hotAuthorizationCodes } from './authorization-codes.ts';
import { sqlClients } from './clients.ts';
import { type Announce, configurationChanges } from './configuration-change.ts';
import { hotConsentAnswers } from './consent-answers.ts';
import { hotConsents, sqlConsents } from './consents.ts';
import { sqlDigestKey } from './digest-key.ts';
import { sqlGrantList } from './grant-list.ts';
import { sqlGrants } from './grants.ts';
import type { HotAccess } from './hot/hot-access.ts';
import { hotGrants } from './hot-grants.ts';
import { sqlIdentityProviders } from './identity-providers.ts';
import { sqlLeases } from './leases.ts';
import { hotLoginAttempts } from './login-attempts.ts';
import { hotLoginSessions, sqlLoginSessions } from './login-sessions.ts';
import { sqlNodeQuestions } from './node-questions.ts';
import { sqlOneTime } from './one-time.ts';
import { sqlReadSnapshot } from './read-snapshot.ts';
import { hotRefreshTokens } from './refresh-tokens.ts';
import { sqlRequestErrors } from './request-errors.ts';
import { sqlResourceServers } from './resource-servers.ts';
import { hotRevocations, sqlRevocations } from './revocations.ts';
import type { Schema } from './schema.ts';
import { sqlSealingKeys } from './sealing-keys.ts';
import {
  hotSessionClients,
  sessionIsEnded,
  sqlLogoutDeliveries,
  sqlSessionClients,
} from './session-clients.ts';
import { SessionEnds } from './session-ends.ts';
import { sqlSessionLinks } from './session-links.ts';
import { sqlSigningKeys } from './signing-keys.ts';
import { sqlStatistics } from './statistics.ts';
import { sqlStepRecords } from './step-records.ts';
import type { Store } from './store.ts';
import { sqlSubjectKey } from './subject-key.ts';
import type { TokenSegments } from './token-segments.ts';
import { sqlTransact } from './transact.ts';

/** The connections of a dialect. */
export interface Connections {
  readonly hot: HotAccess;
  /** For all work that is not hot. Reads do not wait for writes. */
  readonly db: Kysely<Schema>;
  /** For reads of a row by its key, and of a few rows by an index. The same as `db` if the dialect has no faster way. */
  readonly near: Kysely<Schema>;
  /** For writes of a row by its key in the course of a login, which no slow work may delay. `db` if the dialect has one writer. */
  readonly nearWrites?: Kysely<Schema> | undefined;
  readonly clock: Clock;
  readonly segments: TokenSegments;
  /** Absent if nodes only poll. */
  readonly announce?: Announce | undefined;
}

/** All ports of the rules, for one database. */
export function sqlPorts({
  hot,
  db,
  near,
  nearWrites = db,
  clock,
  segments,
  announce,
}: Connections): Omit<Store, 'clock' | 'purge' | 'purgeLag' | 'beginEpoch' | 'withoutServers' | 'close'> {
  const change = configurationChanges(db, announce);
  const { find, findByKey } = sqlSessionLinks(near);
  const ends = new SessionEnds();
  return {
    accounts: {
      ...sqlAccounts(db, ends),
      find: sqlAccounts(near, ends).find,
      replaceHash: sqlAccounts(nearWrites, ends).replaceHash,
    },
    accessTokens: {
      ...hotAccessTokens(hot, segments),
      list: accessTokenList(db, segments),
      scan: accessTokenScan(db, segments),
    },
    auditEvents: sqlAuditEvents(db),
    authorizationCodes: hotAuthorizationCodes(hot, segments),
    consentAnswers: hotConsentAnswers(hot),
    consents: { ...hotConsents(hot), ...sqlConsents(db) },
    clients: { ...sqlClients(near, change, clock), list: sqlClients(db, change, clock).list },
    digestKey: sqlDigestKey(near),
    grants: { ...hotGrants(hot, segments), ...sqlGrants(db, hot.hasShards) },
    grantList: sqlGrantList(db),
    identityProviderUse: sqlIdentityProviders(db, ends),
    leases: sqlLeases(db),
    loginAttempts: hotLoginAttempts(hot),
    loginSessions: {
      ...hotLoginSessions(hot, sessionIsEnded(near, nearWrites, ends)),
      ...sqlLoginSessions(db),
    },
    logoutDeliveries: {
      ...sqlLogoutDeliveries(db, nearWrites, ends),
      // Every server reads it at its start, and every few seconds: it must not start the thread of the lists.
      listDue: sqlLogoutDeliveries(near, nearWrites, ends).listDue,
    },
    nodeQuestions: sqlNodeQuestions(db, change),
    oneTime: sqlOneTime(nearWrites),
    refreshTokens: hotRefreshTokens(hot, segments),
    readSnapshot: sqlReadSnapshot(db, clock, segments),
    requestErrors: sqlRequestErrors(db),
    resourceServers: {
      ...sqlResourceServers(near, change, clock),
      list: sqlResourceServers(db, change, clock).list,
    },
    revocations: { ...hotRevocations(hot), ...sqlRevocations(db) },
    sealingKeys: { ...sqlSealingKeys(db), list: sqlSealingKeys(near).list },
    signingKeys: { list: sqlSigningKeys(near).list },
    statistics: sqlStatistics(db, near, segments),
    stepRecords: { ...sqlStepRecords(nearWrites), find: sqlStepRecords(near).find },
    subjectKey: sqlSubjectKey(near),
    transact: sqlTransact(db, change, clock, ends, segments, hot.hasShards),
    sessionClients: { ...hotSessionClients(hot), ...sqlSessionClients(near, nearWrites) },
    sessionLinks: { ...sqlSessionLinks(nearWrites), find, findByKey },
  };
}
