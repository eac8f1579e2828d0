import type { Clock, ReadSnapshot, Transact } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import { accessTokenList, hotAccessTokens } from '../grants/access-tokens.ts';
import { hotAuthorizationCodes } from '../grants/authorization-codes.ts';
import { hotConsentAnswers, hotConsents, sqlConsents } from '../grants/consents.ts';
import { sqlEndedGrants } from '../grants/end-access.ts';
import { hotGrants, sqlGrants } from '../grants/grants.ts';
import { sqlIssuedTokens } from '../grants/issued-tokens.ts';
import { accessTokenScan } from '../grants/lists/access-token-scan.ts';
import { sqlGrantList } from '../grants/lists/grant-list.ts';
import { hotRefreshTokens } from '../grants/refresh-tokens.ts';
import { hotRevocations, sqlRevocations } from '../grants/revocations.ts';
import type { TokenSegments } from '../grants/token-segments.ts';
import { sqlAuditEvents } from '../history/audit-events.ts';
import { sqlRequestErrors } from '../history/request-errors.ts';
import { sqlStatistics } from '../history/statistics.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { sqlDigestKey, sqlKeyRenewal, sqlSealingKeys, sqlSubjectKey } from '../keys/secret-keys.ts';
import { sqlSigningKeys } from '../keys/signing-keys.ts';
import { hotLoginAttempts } from '../logins/login-attempts.ts';
import { hotLoginSessions, sqlLoginSessions } from '../logins/login-sessions.ts';
import { hotOneTime, sqlOneTime } from '../logins/one-time.ts';
import {
  hotSessionClients,
  sessionIsEnded,
  sqlLogoutDeliveries,
  sqlSessionClients,
} from '../logins/session-clients.ts';
import { SessionEnds } from '../logins/session-ends.ts';
import { sqlSessionLinks } from '../logins/session-links.ts';
import { sqlStepRecords } from '../logins/step-records.ts';
import { sqlAccountLinks } from '../people/account-links.ts';
import { sqlAccounts } from '../people/accounts.ts';
import { sqlAuthenticators } from '../people/authenticators.ts';
import { sqlBranding } from '../people/branding.ts';
import { hotCredentials, sqlCredentials } from '../people/credentials.ts';
import { sqlIdentityProviders } from '../people/identity-providers.ts';
import { MailArrivals, mailInTransaction, sqlOutgoingMail } from '../people/outgoing-mail.ts';
import { sqlOwnerChanges } from '../people/owner-changes.ts';
import { sqlPersonLinks } from '../people/person-links.ts';
import { withWorkAfterCommit } from '../queries/after-commit.ts';
import { sqlClientRegistrations, sqlInitialTokens } from '../records/client-registrations.ts';
import { sqlClients } from '../records/clients.ts';
import { sqlConfigurations } from '../records/configurations.ts';
import { sqlHostRules } from '../records/host-rules.ts';
import { sqlResourceServers } from '../records/resource-servers.ts';
import { sqlRights } from '../records/rights.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type Announce,
  type ChangeConfiguration,
  configurationChanges,
} from '../work/configuration-change.ts';
import { sqlLeases } from '../work/leases.ts';
import { sqlNodeQuestions } from '../work/node-questions.ts';
import type { Store } from './store.ts';

function sqlReadSnapshot(db: Kysely<Schema>, clock: Clock, segments: TokenSegments): ReadSnapshot {
  return (read) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute((snapshot) =>
        read({
          clients: sqlClients(snapshot, noChange, clock),
          statistics: sqlStatistics(snapshot, snapshot, segments),
        }),
      );
}

function sqlInstallationDefault(db: Kysely<Schema>): Store['installationDefault'] {
  return async (setting) => {
    const query = db.selectFrom('installation_default').select('setting_value');
    return (await query.where('setting_name', '=', setting).executeTakeFirst())?.setting_value;
  };
}

function noChange(): Promise<never> {
  return Promise.reject(new Error('a snapshot is read and not changed'));
}

function sqlTransact(
  db: Kysely<Schema>,
  change: ChangeConfiguration,
  clock: Clock,
  ends: SessionEnds,
  segments: TokenSegments,
  hasShards: boolean,
  arrivals: MailArrivals,
): Transact {
  return (work) =>
    withWorkAfterCommit(db, (afterCommit) =>
      change((transaction, revision) => {
        const within: ChangeConfiguration = (part) => part(transaction, revision);
        return work({
          resourceServers: sqlResourceServers(transaction, within, clock),
          clients: sqlClients(transaction, within, clock),
          configurations: sqlConfigurations(transaction),
          issuedTokens: sqlIssuedTokens(transaction, afterCommit, ends, segments),
          accounts: sqlAccounts(transaction, ends, (part) => part(transaction, afterCommit)),
          accountLinks: sqlAccountLinks(transaction),
          credentials: sqlCredentials(transaction),
          personLinks: sqlPersonLinks(transaction),
          outgoingMail: mailInTransaction(transaction, afterCommit, arrivals),
          auditEvents: sqlAuditEvents(transaction),
          ownerChanges: sqlOwnerChanges(transaction),
          grants: sqlEndedGrants(transaction, hasShards ? afterCommit : undefined),
          signingKeys: sqlSigningKeys(transaction),
          storedAuthenticators: sqlAuthenticators(transaction, revision),
          branding: sqlBranding(transaction, revision),
          hostRules: sqlHostRules(transaction),
          rights: sqlRights(transaction),
          clientRegistrations: sqlClientRegistrations(transaction),
          initialTokens: sqlInitialTokens(transaction),
          keyRenewal: sqlKeyRenewal(transaction),
        });
      }),
    );
}

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

/** What administrators and record owners set up. A list can be long work, the rest is a row by its key, or a few. */
function configurationPorts(
  db: Kysely<Schema>,
  near: Kysely<Schema>,
  change: ChangeConfiguration,
  clock: Clock,
): Pick<
  Store,
  | 'branding'
  | 'clients'
  | 'configurations'
  | 'hostRules'
  | 'resourceServers'
  | 'rights'
  | 'clientRegistrations'
  | 'clients'
  | 'hostRules'
  | 'initialTokens'
  | 'resourceServers'
  | 'storedAuthenticators'
> {
  return {
    branding: sqlBranding(near),
    clients: { ...sqlClients(near, change, clock), list: sqlClients(db, change, clock).list },
    configurations: sqlConfigurations(near),
    clientRegistrations: sqlClientRegistrations(near),
    hostRules: sqlHostRules(near),
    initialTokens: sqlInitialTokens(near),
    resourceServers: {
      ...sqlResourceServers(near, change, clock),
      list: sqlResourceServers(db, change, clock).list,
    },
    rights: sqlRights(near),
    storedAuthenticators: sqlAuthenticators(near),
  };
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
  const arrivals = new MailArrivals();
  // Every server reads at its start whether there is an administrator.
  const { find: findAccount, listByEmail, hashNear, hasOtherAdministrator } = sqlAccounts(near, ends);
  return {
    accounts: {
      ...sqlAccounts(db, ends),
      ...{ find: findAccount, listByEmail, hashNear, hasOtherAdministrator },
      replaceHash: sqlAccounts(nearWrites, ends).replaceHash,
    },
    accountLinks: sqlAccountLinks(nearWrites, near),
    credentials: hotCredentials(hot, sqlCredentials(nearWrites, near)),
    accessTokens: {
      ...hotAccessTokens(hot, segments),
      list: accessTokenList(db, segments),
      scan: accessTokenScan(db, segments),
    },
    auditEvents: sqlAuditEvents(db),
    ...configurationPorts(db, near, change, clock),
    authorizationCodes: hotAuthorizationCodes(hot, segments),
    consentAnswers: hotConsentAnswers(hot),
    consents: { ...hotConsents(hot), ...sqlConsents(db) },
    digestKey: sqlDigestKey(near),
    grants: { ...hotGrants(hot, segments), ...sqlGrants(db, hot.hasShards) },
    grantList: sqlGrantList(db),
    identityProviderUse: sqlIdentityProviders(db, ends),
    installationDefault: sqlInstallationDefault(near),
    isDistributed: hot.hasShards,
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
    oneTime: hot.hasShards ? sqlOneTime(nearWrites) : hotOneTime(hot, sqlOneTime(nearWrites)),
    outgoingMail: sqlOutgoingMail(nearWrites, arrivals),
    personLinks: {
      ...sqlPersonLinks(nearWrites),
      find: sqlPersonLinks(near).find,
      list: sqlPersonLinks(db).list,
    },
    refreshTokens: hotRefreshTokens(hot, segments),
    readSnapshot: sqlReadSnapshot(db, clock, segments),
    requestErrors: sqlRequestErrors(db),
    revocations: { ...hotRevocations(hot), ...sqlRevocations(db) },
    sealingKeys: { ...sqlSealingKeys(db), list: sqlSealingKeys(near).list },
    signingKeys: { list: sqlSigningKeys(near).list },
    statistics: sqlStatistics(db, near, segments),
    stepRecords: { ...sqlStepRecords(nearWrites), find: sqlStepRecords(near).find },
    subjectKey: sqlSubjectKey(near),
    transact: sqlTransact(db, change, clock, ends, segments, hot.hasShards, arrivals),
    sessionClients: { ...hotSessionClients(hot), ...sqlSessionClients(near, nearWrites) },
    sessionLinks: { ...sqlSessionLinks(nearWrites), find, findByKey },
  };
}
