import type { Kysely } from 'kysely';
import { inBatches, type ReapOptions } from './reaper/batches.ts';
import { deleteExpiredGrants, deleteExpiredSessions, deleteExpiredUnderGrants } from './reaper/expired.ts';
import { deleteExpiredOneTime, deleteExpiredSessionLinks } from './reaper/federated-login.ts';
import { deleteAuditEvents, deleteIssuedCounts, deleteLoginEvents } from './reaper/history.ts';
import { deleteEndedLoginAttempts } from './reaper/login-attempts.ts';
import { deleteUnderDeadClients } from './reaper/of-clients.ts';
import { deleteEndedOwnerChanges } from './reaper/owner-changes.ts';
import { deleteRecords } from './reaper/records.ts';
import { deleteRevokedGrants } from './reaper/revoked-grants.ts';
import type { Schema } from './schema.ts';

export type { ReapOptions } from './reaper/batches.ts';

/** Rows removed. */
export interface ReapReport {
  /** Access tokens that expired. */
  readonly expiredTokens: number;
  /** Access tokens that died with their client or grant. */
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
  /** Logins, logouts, withdrawals and grants in the audit trail. */
  readonly loginEvents: number;
  /** Counts of issued tokens. */
  readonly issuedCounts: number;
  /** What may happen once, e.g. assertions that were accepted. */
  readonly oneTime: number;
  readonly sessionLinks: number;
  /** Counts of changes that owners made. */
  readonly ownerChanges: number;
}

/** Removes what is dead already: no answer of the service changes by it. */
export async function reap(db: Kysely<Schema>, options: ReapOptions): Promise<ReapReport> {
  const inTurn = (deleteBatch: () => Promise<number>) => inBatches(options, deleteBatch);
  const expiredTokens = await inTurn(() => deleteExpiredUnderGrants(db, 'access_token', options));
  const expiredRefresh = await inTurn(() => deleteExpiredUnderGrants(db, 'refresh_token', options));
  const expiredCodes = await inTurn(() => deleteExpiredUnderGrants(db, 'authorization_code', options));
  const loginSessions = await inTurn(() => deleteExpiredSessions(db, options));
  const ofClients = await deleteUnderDeadClients(db, options);
  const ofGrants = await deleteRevokedGrants(db, options);
  // Last of all that expires: nothing under a grant outlives it.
  const expiredGrants = await inTurn(() => deleteExpiredGrants(db, options));
  return {
    expiredTokens,
    revokedTokens: ofClients.accessTokens + ofGrants.accessTokens,
    refreshTokens: expiredRefresh + ofGrants.refreshTokens,
    authorizationCodes: expiredCodes + ofGrants.authorizationCodes,
    grants: expiredGrants + ofGrants.grants,
    consents: ofClients.consents,
    loginSessions,
    loginAttempts: await inTurn(() => deleteEndedLoginAttempts(db, options)),
    auditEvents: await inTurn(() => deleteAuditEvents(db, options)),
    loginEvents: await inTurn(() => deleteLoginEvents(db, options)),
    issuedCounts: await deleteIssuedCounts(db, options),
    oneTime: await inTurn(() => deleteExpiredOneTime(db, options)),
    sessionLinks: await inTurn(() => deleteExpiredSessionLinks(db, options)),
    ownerChanges: await inTurn(() => deleteEndedOwnerChanges(db, options)),
    ...(await deleteRecords(db, options)),
  };
}
