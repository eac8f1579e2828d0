import type { Kysely } from 'kysely';
import type { TokenSegments } from '../grants/token-segments.ts';
import type { Schema } from '../schema/schema.ts';
import { inTurn, type PacedOptions } from './batches.ts';
import {
  deleteExpiredGrants,
  deleteExpiredSessionClients,
  deleteExpiredSessions,
  deleteExpiredUnderGrants,
} from './expired.ts';
import {
  deleteAuditEvents,
  deleteCountsOfClients,
  deleteIssuedCounts,
  deleteLoginEvents,
  deleteRequestErrors,
} from './history.ts';
import { deleteUnderEndedClients } from './of-clients.ts';
import { deleteClients, deleteResourceServers } from './records.ts';
import { deleteRevokedGrants } from './revoked-grants.ts';
import { writeSearchTexts } from './search-texts.ts';
import {
  clearSealedAnswers,
  deleteEndedLoginAttempts,
  deleteEndedOwnerChanges,
  deleteExpiredMail,
  deleteExpiredOneTime,
  deleteExpiredPersonLinks,
  deleteExpiredSessionLinks,
  deleteExpiredStepRecords,
  deleteRevokedTokens,
} from './short-lived.ts';

export type { Pace, PurgeOptions } from './batches.ts';

/** Rows removed. */
export interface PurgeReport {
  /** Rotated refresh tokens that stay, and whose answer was cleared. */
  readonly sealedAnswers: number;
  /** Accounts, clients, resource servers and events that stay, and whose searched texts were written. */
  readonly searchTexts: number;
  /** Access tokens that expired. */
  readonly expiredTokens: number;
  /** Access tokens that were revoked with their client or grant. */
  readonly revokedTokens: number;
  readonly refreshTokens: number;
  readonly authorizationCodes: number;
  readonly grants: number;
  readonly consents: number;
  readonly loginSessions: number;
  readonly clients: number;
  readonly resourceServers: number;
  /** Counts of failed logins. */
  readonly loginAttempts: number;
  readonly auditEvents: number;
  /** Logins, logouts, withdrawals and grants in the audit log. */
  readonly loginEvents: number;
  /** Counts of issued tokens. */
  readonly issuedCounts: number;
  /** Errors of requests. */
  readonly requestErrors: number;
  /** One-time keys, for example of assertions that were accepted. */
  readonly oneTime: number;
  readonly sessionLinks: number;
  /** Links that were mailed to people, who have not used them. */
  readonly personLinks: number;
  /** Mails that were not sent in time. */
  readonly outgoingMail: number;
  /** What people did in steps of their logins, and what is not enough any more. */
  readonly stepRecords: number;
  /** Clients of sessions, and logout tokens that were not delivered. */
  readonly sessionClients: number;
  /** Notes of revoked JWT access tokens that have expired. */
  readonly revokedJwts: number;
  /** Counts of changes that owners made. */
  readonly ownerChanges: number;
  /** Messages of work that is done. */
  readonly outboxMessages: number;
}

/** Removes expired, revoked and deleted rows, of each kind as many as its turn has. No answer of the server depends on them. */
export async function purge(
  db: Kysely<Schema>,
  segments: TokenSegments,
  options: PacedOptions,
): Promise<PurgeReport> {
  const removed = (deleteBatch: (batch: PacedOptions) => Promise<number>) => inTurn(options, deleteBatch);
  const sealedAnswers = await removed((batch) => clearSealedAnswers(db, batch));
  const expiredTokens = await removed((batch) => deleteExpiredUnderGrants(db, 'access_token', batch));
  const expiredRefresh = await removed((batch) => deleteExpiredUnderGrants(db, 'refresh_token', batch));
  const expiredCodes = await removed((batch) => deleteExpiredUnderGrants(db, 'authorization_code', batch));
  const loginSessions = await removed((batch) => deleteExpiredSessions(db, batch));
  const ofClients = await deleteUnderEndedClients(db, segments, options);
  const ofGrants = await deleteRevokedGrants(db, options);
  // After all other rows that expire, which must be gone.
  const expiredGrants = await removed((batch) => deleteExpiredGrants(db, batch));
  return {
    sealedAnswers,
    searchTexts: await writeSearchTexts(db, options),
    expiredTokens,
    revokedTokens: ofClients.accessTokens + ofGrants.accessTokens,
    refreshTokens: expiredRefresh + ofGrants.refreshTokens,
    authorizationCodes: expiredCodes + ofGrants.authorizationCodes,
    grants: expiredGrants + ofGrants.grants,
    consents: ofClients.consents,
    loginSessions,
    loginAttempts: await removed((batch) => deleteEndedLoginAttempts(db, batch)),
    auditEvents: await removed((batch) => deleteAuditEvents(db, batch)),
    loginEvents: await removed((batch) => deleteLoginEvents(db, batch)),
    issuedCounts:
      (await removed((batch) => deleteIssuedCounts(db, batch))) +
      (await removed((batch) => deleteCountsOfClients(db, batch))),
    requestErrors: ofClients.requestErrors + (await removed((batch) => deleteRequestErrors(db, batch))),
    oneTime: await removed((batch) => deleteExpiredOneTime(db, batch)),
    sessionLinks: await removed((batch) => deleteExpiredSessionLinks(db, batch)),
    personLinks: await removed((batch) => deleteExpiredPersonLinks(db, batch)),
    outgoingMail: await removed((batch) => deleteExpiredMail(db, batch)),
    stepRecords: await removed((batch) => deleteExpiredStepRecords(db, batch)),
    sessionClients: await removed((batch) => deleteExpiredSessionClients(db, batch)),
    revokedJwts: await removed((batch) => deleteRevokedTokens(db, batch)),
    outboxMessages: ofClients.outboxMessages,
    ownerChanges: await removed((batch) => deleteEndedOwnerChanges(db, batch)),
    clients: await deleteClients(db, segments, options),
    resourceServers: await removed((batch) => deleteResourceServers(db, batch)),
  };
}
