import type { Grant } from '../model/grant.ts';
import type { LoginSession } from '../model/login-session.ts';
import { splitScopes } from '../openid/scopes.ts';
import { sessionIdFor } from '../openid/session-id.ts';
import type { Subjects } from '../openid/subjects.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { SessionClientStore } from '../ports/session-client-store.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';

export interface SessionClientDependencies {
  readonly sessionClients: Pick<SessionClientStore, 'insert'>;
  readonly subjects: Pick<Subjects, 'subjectFor'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Stores that the client learns of the end of the session, if it gets an ID token and has an address for that. It must happen
 * before the session is found to be still there: then either the end of the session finds the client, or the client gets nothing.
 */
export async function noteSessionClient(
  { client, resourceServer }: Pick<AuthorizationRequest, 'client' | 'resourceServer'>,
  { id: sessionId, owner, expires }: LoginSession,
  { scopes }: Pick<Grant, 'scopes'>,
  { sessionClients, subjects, subjectSecret, clock, random }: SessionClientDependencies,
): Promise<void> {
  if (client.backchannelLogoutUri === '' && client.frontchannelLogoutUri === '') return;
  if (!splitScopes(scopes, resourceServer).openid.includes('openid')) return;
  await sessionClients.insert({
    id: timeOrderedId(clock.now(), random, sessionId),
    sessionId,
    clientRecordId: client.id,
    sid: sessionIdFor(subjectSecret, client, sessionId),
    subject: subjects.subjectFor(client, owner),
    expires,
  });
}
