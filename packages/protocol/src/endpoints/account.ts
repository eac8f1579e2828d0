import { type AuthStateDependencies, AuthStates } from '../authorize/auth-state.ts';
import type { Browser, BrowserCookies } from '../authorize/browser.ts';
import { type EventOrigin, loginEvent } from '../authorize/sessions/login-event.ts';
import type { LoginSessions } from '../authorize/sessions/login-sessions.ts';
import type { LoginSession } from '../model/login-session.ts';
import { identityOf, type ResourceOwner } from '../model/resource-owner.ts';
import type { UserClaimSet, UserClaims } from '../openid/user-claims.ts';
import type { Authenticators } from '../ports/authenticators.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import type { Registry } from '../ports/registry.ts';
import { missingParameter } from '../rules/parameters.ts';
import { type ConnectedApplication, connectedApplications } from './connected-applications.ts';

export interface AccountDependencies extends AuthStateDependencies {
  readonly registry: Registry;
  readonly grants: GrantStore;
  readonly consents: ConsentStore;
  readonly sessions: LoginSessions;
  /** The authenticators whose sessions are valid. */
  readonly authenticators: Authenticators;
  readonly userClaims: Pick<UserClaims, 'all'>;
}

/** The account page of a resource owner. */
export interface AccountView {
  readonly owner: ResourceOwner;
  /** What applications can learn about the resource owner. */
  readonly claims: UserClaimSet;
  readonly applications: readonly ConnectedApplication[];
  readonly authState: string;
  readonly cookies: BrowserCookies;
}

/** The pages on which a resource owner sees what the server knows, and sees and withdraws consent. */
export interface AccountEndpoint {
  /** `undefined` when no user is logged in. */
  show(browser: Browser): Promise<AccountView | undefined>;
  /**
   * Withdraws the consent to the client whose record id is submitted as `client`, and revokes its grants. `false`, and nothing is done, if
   * the page had been open for too long, or was of another login.
   *
   * @throws OAuthError `unbound_submission`, `invalid_auth_state`, `invalid_request`
   */
  withdraw(submission: Submission, browser: Browser): Promise<boolean>;
}

/** These pages are the server's own. */
function originFrom({ source }: Browser): EventOrigin {
  return { clientId: undefined, source };
}

export function accountEndpoint(deps: AccountDependencies): AccountEndpoint {
  const { registry, grants, consents, sessions, clock, authenticators, userClaims } = deps;
  const authStates = new AuthStates(deps);
  const current = (browser: Browser) => sessions.current(browser, authenticators);
  const sealed = (stage: 'account' | 'logout', { id }: LoginSession, browser: Browser) => {
    const binding = authStates.bindingOf(browser);
    const authState = authStates.seal(stage, { sessionId: id }, binding);
    return { authState, cookies: binding === browser.binding ? {} : { binding } };
  };

  return {
    async show(browser) {
      const session = await current(browser);
      if (session === undefined) return undefined;
      const { owner } = session;
      const [uses, remembered] = await Promise.all([
        grants.listBySubject(owner.subject, clock.now()),
        consents.listBySubject(owner.subject),
      ]);
      const applications = connectedApplications(uses, remembered, registry);
      const claims = userClaims.all(session);
      return { owner, claims, applications, ...sealed('account', session, browser) };
    },

    async withdraw(submission, browser) {
      const { state, isLate } = await authStates.openLate('account', submission, browser);
      const session = await current(browser);
      if (isLate || session === undefined || session.id !== state.sessionId) return false;
      const client = submitted(submission, 'client');
      if (!/^\d{1,15}$/.test(client)) {
        throw missingParameter('client');
      }
      const { owner } = session;
      const recordName = registry.clientById(Number(client))?.clientId ?? client;
      const record = { recordType: 'client', recordId: client, recordName } as const;
      const event = loginEvent(
        identityOf(owner),
        originFrom(browser),
        { action: 'withdraw', ...record },
        deps,
      );
      await grants.withdraw(owner.subject, Number(client), clock.now(), event);
      return true;
    },
  };
}
