import { OAuthError } from '../model/errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { LoginSessionStore } from '../ports/login-session-store.ts';
import type { AuditedChange } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AdministrationDependencies, changeRecords } from './change-records.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

/** Login sessions, for administrators only. */
export interface LoginSessionAdministration {
  /** Valid sessions, newest first. @param owner only those of this user @throws OAuthError `access_denied` */
  list(
    caller: Caller,
    owner: Identity | undefined,
    page: PageRequest<string>,
  ): Promise<Page<LoginSession, string>>;
  /**
   * Ends a session. The user must log in again; grants and tokens stay, as after a logout.
   *
   * @throws OAuthError `access_denied`, `not_found`
   */
  end(caller: Caller, id: string): Promise<void>;
}

export interface LoginSessionAdministrationDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'> {
  readonly loginSessions: Pick<LoginSessionStore, 'find' | 'list'>;
  /** Seconds without use after which a session ends. */
  readonly sessionIdleLifetime: number;
}

export function loginSessionAdministration(
  deps: LoginSessionAdministrationDependencies,
): LoginSessionAdministration {
  const { loginSessions, clock, sessionIdleLifetime } = deps;
  const isValid = ({ expires, lastUsed }: LoginSession) => {
    const now = clock.now();
    return expires > now && now - lastUsed < sessionIdleLifetime * 1000;
  };
  return {
    async list(caller, owner, page) {
      requireAdministrator(caller);
      return readPage(page, {
        fetch: (before, limit) =>
          loginSessions.list({ limit, ...(owner && { owner }), ...(before !== undefined && { before }) }),
        positionOf: ({ id }) => id,
        pick: (session) => (isValid(session) ? session : undefined),
      });
    },

    async end(caller, id) {
      requireAdministrator(caller);
      const session = await loginSessions.find(id);
      if (session === undefined || !isValid(session)) throw noSuchSession();
      await changeRecords(caller, deps, async ({ issuedTokens }) => {
        if (!(await issuedTokens.endSession(id, clock.now()))) throw noSuchSession();
        return { value: undefined, changes: [ended(session)] };
      });
    },
  };
}

/** @throws OAuthError `access_denied` */
function requireAdministrator({ isAdministrator }: Caller): void {
  if (isAdministrator) return;
  throw new OAuthError('access_denied', {
    description: 'Only an administrator who logged in can see and end login sessions.',
    rule: 'administrator',
  });
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
