import {
  type ClientStore,
  type Identity,
  identityOf,
  isValidSession,
  type LoginSession,
  type LoginSessionStore,
  OAuthError,
  type SessionValidity,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

/** Which sessions are listed; of several members all must fit. */
export interface LoginSessionFilter {
  /** Only sessions of this user. */
  readonly owner?: Identity | undefined;
  /** Only sessions in which this client was granted access. */
  readonly clientId?: string | undefined;
  /** Epoch milliseconds: only sessions that began at this time or later. */
  readonly since?: number | undefined;
}

/** Login sessions, for administrators only. */
export interface LoginSessionAdministration {
  /** Valid sessions, newest first. @throws OAuthError `access_denied` */
  list(
    caller: Caller,
    filter: LoginSessionFilter,
    page: PageRequest<string>,
  ): Promise<Page<LoginSession, string>>;
  /**
   * Ends a session. The user must log in again; grants and tokens stay, as after a logout.
   *
   * @throws OAuthError `access_denied`, `not_found`
   */
  end(caller: Caller, id: string): Promise<void>;
}

interface LoginSessionAdministrationDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'>,
    SessionValidity {
  readonly loginSessions: Pick<LoginSessionStore, 'find' | 'list' | 'listGranted'>;
  readonly clients: Pick<ClientStore, 'find'>;
}

export function loginSessionAdministration(
  deps: LoginSessionAdministrationDependencies,
): LoginSessionAdministration {
  const { loginSessions, clients, clock } = deps;
  return {
    async list(caller, { owner, clientId, since = 0 }, page) {
      requireAccess(caller);
      const client = clientId === undefined ? undefined : await clients.find(clientId);
      if (clientId !== undefined && client === undefined) return { items: [], next: undefined };
      return readPage(page, {
        async fetch(before, limit) {
          const query = { since, limit, ...(owner && { owner }), ...(before !== undefined && { before }) };
          const sessions = await loginSessions.list(query);
          const granted = client && (await loginSessions.listGranted(client.id, usersOf(sessions)));
          return sessions.map((session) => ({ session, isGranted: granted?.has(session.id) ?? true }));
        },
        positionOf: ({ session }) => session.id,
        pick: ({ session, isGranted }) =>
          isGranted && session.creationDate >= since && isValidSession(session, deps) ? session : undefined,
      });
    },

    async end(caller, id) {
      requireAccess(caller);
      const session = await loginSessions.find(id);
      if (session === undefined || !isValidSession(session, deps)) throw noSuchSession();
      await changeRecords(caller, deps, async ({ issuedTokens }) => {
        if (!(await issuedTokens.endSession(id, clock.now()))) throw noSuchSession();
        return { value: undefined, changes: [ended(session)] };
      });
    },
  };
}

function usersOf(sessions: readonly LoginSession[]): Identity[] {
  const users = sessions.map(({ owner }) => identityOf(owner));
  return [...new Map(users.map((user) => [JSON.stringify(user), user])).values()];
}

/** @throws OAuthError `access_denied` */
function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'see and end login sessions');
}

function noSuchSession(): OAuthError {
  return new OAuthError('not_found', { description: 'There is no such login session.' });
}

function ended({ id, owner, authenticator, creationDate, lastUsed, expires }: LoginSession): AuditedChange {
  const { identityProvider, name } = identityOf(owner);
  return {
    action: 'delete',
    recordType: 'loginSession',
    recordId: id,
    recordName: name,
    owner: { identityProvider, name },
    before: { authenticator, creationDate, lastUsed, expires },
  };
}
