import { isSystemRecord } from '../admin/ownership.ts';
import { OAuthError } from '../errors.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { Scopes } from '../model/scope.ts';
import type { AuthenticationStep } from '../ports/authentication-module.ts';
import type { ConsentContext, ConsentModule, ConsentStep } from '../ports/consent-module.ts';
import { type Submission, submitted } from '../ports/module-step.ts';
import { remainingScopes } from '../rules/scope.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import { Authentication, type AuthenticationModuleDependencies } from './authentication.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import type { Browser } from './browser.ts';
import { type PendingLogin, partiesOf } from './parties.ts';
import type { RememberedConsent } from './remembered-consent.ts';
import type { AuthorizationRequest } from './request.ts';
import { type RespondDependencies, respond } from './respond.ts';
import { RedirectedError } from './response.ts';
import { leave, sealVisit, type Visit } from './visit.ts';

export interface DispatcherDependencies extends RespondDependencies, AuthenticationModuleDependencies {
  readonly consent: ConsentModule;
  readonly sessions: LoginSessions;
  readonly authStates: AuthStates;
  readonly rememberedConsent: RememberedConsent;
}

// Milliseconds. Who is no administrator any more elsewhere must not go on here for as long as a session lives.
const maxAdministratorAge = 3_600_000;

/** The question for consent, in one visit. */
interface Asking {
  readonly visit: Visit;
  readonly request: AuthorizationRequest;
  readonly session: LoginSession;
  /** All that the owner agreed to before, asked for now or not. */
  readonly agreed: Scopes;
  readonly context: ConsentContext;
}

/**
 * Decides the next step after each return: log in, ask for consent, answer the client. Login and consent
 * never lead to one another.
 *
 * Every method throws `OAuthError` for the person in front of the browser and `RedirectedError` for the client.
 */
export class Dispatcher {
  readonly #world: DispatcherDependencies;
  readonly #authentication: Authentication;

  constructor(world: DispatcherDependencies) {
    this.#world = world;
    this.#authentication = new Authentication(world);
  }

  /** A browser arrives: with a request of a client's, or with none, to see the owner's account. */
  async arrive(request: AuthorizationRequest | undefined, browser: Browser): Promise<AuthorizationAnswer> {
    const { authenticator, sessions } = this.#world;
    const visit = { request, browser, cookies: {} };
    const session = await sessions.current(browser, authenticator.name);
    if (session !== undefined && !this.#mustLogIn(request, session)) return this.#askConsent(visit, session);
    if (request?.prompt.includes('none')) throw refusal(request, 'login_required');
    return this.#login(visit, await this.#authentication.begin(visit));
  }

  /** A form or a redirect of the authentication module's comes back. */
  async resumeLogin(
    state: AuthState,
    submission: Submission,
    browser: Browser,
  ): Promise<AuthorizationAnswer> {
    const handle = submitted(submission, 'auth_state');
    const cookies = browser.waiting?.has(handle) ? { waiting: { handle, authState: null } } : {};
    const visit = { request: state.request, browser, cookies: {} };
    const step = await this.#authentication.resume(visit, state.moduleState, submission);
    // Until then the way back must stay open: to another choice, to another attempt.
    return this.#login(step.type === 'authenticated' ? { ...visit, cookies } : visit, step);
  }

  /** Who asks for the login that a state belongs to; `undefined` when the owner came for their own account. */
  pendingLogin({ request }: AuthState): PendingLogin | undefined {
    if (request === undefined) return undefined;
    return { ...partiesOf(request, this.#world.registry), redirectUri: request.redirectUri };
  }

  /** A form of the consent module's comes back. */
  async resumeConsent(
    state: AuthState,
    submission: Submission,
    browser: Browser,
  ): Promise<AuthorizationAnswer> {
    const { authenticator, sessions, consent } = this.#world;
    const { request } = state;
    const session = await sessions.current(browser, authenticator.name);
    // Logged out since, or somebody else: whoever sits there has not seen this question.
    if (request === undefined || session?.id !== state.sessionId || session === undefined) {
      return this.arrive(request, browser);
    }
    const visit = { request, browser, cookies: {} };
    const asking = await this.#asking(visit, request, session, state.moduleState);
    return this.#consented(asking, await consent.resume(asking.context, submission));
  }

  #mustLogIn(request: AuthorizationRequest | undefined, session: LoginSession): boolean {
    if (request === undefined) return false;
    const { prompt, maxAge } = request;
    const { authenticatedAt, owner } = session;
    const age = this.#world.clock.now() - authenticatedAt;
    const isAdministering =
      owner.principal.adminPrincipal &&
      isSystemRecord(partiesOf(request, this.#world.registry).resourceServer);
    return (
      prompt.includes('login') ||
      (maxAge !== undefined && age >= maxAge * 1000) ||
      (isAdministering && age >= maxAdministratorAge)
    );
  }

  async #login(visit: Visit, step: AuthenticationStep): Promise<AuthorizationAnswer> {
    const { sessions, authStates } = this.#world;
    const { name } = this.#world.authenticator;
    const { request } = visit;
    switch (step.type) {
      case 'authenticated': {
        const owner = { authority: step.identityProvider ?? name, principal: step.principal };
        const binding = authStates.bindingOf(visit.browser);
        const browser = { ...visit.browser, binding };
        const client = request && this.#world.registry.clientById(request.clientRecordId);
        const coming = { clientId: client?.clientId, source: browser.source };
        const { session, value } = await sessions.start(owner, name, browser, coming, step.link);
        if ((await step.stillHolds?.()) === false) {
          await sessions.end({ binding, session: value }, coming, 'account');
          return this.#login(visit, {
            type: 'refused',
            description: 'The account changed during the login.',
          });
        }
        const cookies = {
          ...visit.cookies,
          session: value,
          ...(binding !== visit.browser.binding && { binding }),
        };
        return this.#askConsent({ ...visit, browser, cookies }, session);
      }
      case 'form': {
        const [authState, cookies] = sealVisit('login', visit, { moduleState: step.state }, this.#world);
        const shown = request && { request, ...partiesOf(request, this.#world.registry) };
        return { type: 'login', step, authState, ...shown, cookies };
      }
      case 'redirect': {
        const [authState, cookies] = leave(visit, step, this.#world);
        return { type: 'redirect', location: await step.location(authState), isLogin: true, cookies };
      }
      case 'post': {
        const [authState, cookies] = leave(visit, step, this.#world);
        return { type: 'post', location: step.location, fields: await step.fields(authState), cookies };
      }
      case 'refused': {
        const error = new OAuthError('access_denied', { description: step.description });
        throw request === undefined ? error : new RedirectedError(request, error);
      }
    }
  }

  async #askConsent(visit: Visit, session: LoginSession): Promise<AuthorizationAnswer> {
    const { consent, issuer, rememberedConsent } = this.#world;
    const { request, cookies } = visit;
    if (request === undefined) return { type: 'redirect', location: `${issuer()}/account`, cookies };
    const { client } = partiesOf(request, this.#world.registry);
    if (client.skipConsent && rememberedConsent.provesWhoAsks(request, client)) {
      return this.#respond(visit, request, session, request.scopes);
    }
    const asking = await this.#asking(visit, request, session, undefined);
    const { scopes, consented } = asking.context;
    const isCovered = scopes.length > 0 && consented.length === scopes.length;
    if (isCovered && !request.prompt.includes('consent')) {
      return this.#respond(visit, request, session, scopes, async () => {
        const agreed = await rememberedConsent.agreed(request, client, session.owner);
        return scopes.every((scope) => agreed.includes(scope));
      });
    }
    if (request.prompt.includes('none')) throw refusal(request, 'consent_required');
    return this.#consented(asking, await consent.begin(asking.context));
  }

  async #asking(
    visit: Visit,
    request: AuthorizationRequest,
    session: LoginSession,
    state: unknown,
  ): Promise<Asking> {
    const parties = partiesOf(request, this.#world.registry);
    const { owner } = session;
    const agreed = await this.#world.rememberedConsent.agreed(request, parties.client, owner);
    const { scopes } = request;
    const consented = scopes.filter((scope) => agreed.includes(scope));
    const { requestId } = visit.browser;
    const resourceOwner = { identityProvider: owner.authority, principal: owner.principal };
    const context = { ...parties, resourceOwner, scopes, consented, requestId, state };
    return { visit, request, session, agreed, context };
  }

  async #consented(asking: Asking, step: ConsentStep): Promise<AuthorizationAnswer> {
    const { rememberedConsent } = this.#world;
    const { visit, request, session, agreed, context } = asking;
    switch (step.type) {
      case 'consented': {
        if (!step.scopes.every((scope) => request.scopes.includes(scope))) {
          throw new OAuthError('invalid_request', {
            description: 'A scope was granted that was not asked for.',
          });
        }
        // Both go into one commit.
        const [answer] = await Promise.all([
          this.#respond(visit, request, session, step.scopes),
          step.remember &&
            rememberedConsent.remember(request, context.client, session.owner, agreed, step.scopes),
        ]);
        return answer;
      }
      case 'denied':
        throw refusal(request, 'access_denied');
      case 'form': {
        const kept = { sessionId: session.id, moduleState: step.state };
        const [authState, cookies] = sealVisit('consent', visit, kept, this.#world);
        const { client, resourceServer, scopes, consented } = context;
        const shown = { client, resourceServer, owner: session.owner, scopes, consented };
        return { type: 'consent', step, authState, request, ...shown, cookies };
      }
    }
  }

  /** @param isStillAllowed asked once the answer is stored */
  async #respond(
    { browser, cookies }: Visit,
    request: AuthorizationRequest,
    session: LoginSession,
    granted: Scopes,
    isStillAllowed: () => Promise<boolean> = async () => true,
  ): Promise<AuthorizationAnswer> {
    const { sessions, grants, clock } = this.#world;
    const { client } = partiesOf(request, this.#world.registry);
    const scopes = remainingScopes(granted, client.scopes);
    const { owner } = session;
    const allowed = { request, client, owner, scopes, source: browser.source };
    const { location, grantId } = await respond(allowed, this.#world);
    const holds = await Promise.all([sessions.isStored(session), isStillAllowed()]);
    if (!holds.includes(false)) return { type: 'redirect', location, cookies };
    // A logout, a withdrawal or a change to the account came before this grant was stored, and could not see it.
    await grants.revoke(grantId, clock.now());
    return this.arrive(request, browser);
  }
}

function refusal(
  request: AuthorizationRequest,
  kind: 'login_required' | 'consent_required' | 'access_denied',
): RedirectedError {
  return new RedirectedError(request, new OAuthError(kind));
}
