import type { Client } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { Grant } from '../model/grant.ts';
import type { LoginSession } from '../model/login-session.ts';
import type { Scopes } from '../model/scope.ts';
import type { ConsentAnswer, ConsentAnswerStore } from '../ports/consent-answer-store.ts';
import type { ConsentContext, ConsentModule, ConsentStep } from '../ports/consent-module.ts';
import type { Submission } from '../ports/module-step.ts';
import type { Registry } from '../ports/registry.ts';
import { remainingScopes } from '../rules/scope.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import type { AuthState, AuthStates } from './auth-state.ts';
import type { AuthorizationAnswer } from './authorization-answer.ts';
import { partiesOf } from './parties.ts';
import type { RememberedConsent } from './remembered-consent.ts';
import type { AuthorizationRequest } from './request.ts';
import { newGrant, type RespondDependencies, respond } from './respond.ts';
import { requestRefusal } from './response.ts';
import type { LoginSessions } from './sessions/login-sessions.ts';
import { sealVisit, type Visit } from './visit.ts';

export interface ConsentDependencies extends RespondDependencies {
  readonly registry: Registry;
  readonly consent: ConsentModule;
  readonly consentAnswers: ConsentAnswerStore;
  readonly sessions: LoginSessions;
  readonly authStates: AuthStates;
  readonly rememberedConsent: RememberedConsent;
}

/** A visit with a request of a client's. */
export type RequestVisit = Visit & { readonly request: AuthorizationRequest };

/** The question for consent, in one visit. */
interface Asking {
  readonly visit: RequestVisit;
  readonly session: LoginSession;
  /** All that the owner agreed to before, asked for now or not. */
  readonly agreed: Scopes;
  readonly context: ConsentContext;
  /** Of the page that is answered now, if there was one. */
  readonly answerId?: string | undefined;
}

/** What the client is given, before it is stored. */
interface Giving {
  readonly visit: RequestVisit;
  readonly session: LoginSession;
  readonly client: Client;
  readonly scopes: Scopes;
  readonly answer?: ConsentAnswer | undefined;
  /** What is to be remembered of the answer, told the grant. */
  readonly remember?: (grant: Grant) => Promise<void>;
  /** Asked once the answer is stored. */
  readonly isStillAllowed?: () => Promise<boolean>;
}

/**
 * Asks a resource owner who is logged in what the client may do, where that has to be asked, and answers the client.
 * A consent page is answered once, and for the person alone to whom it was shown.
 *
 * Methods resolve with `undefined` when the login or the consent that the answer rests on ended while it was being
 * stored: then nobody has got anything, and the request begins anew.
 */
export class ConsentDialogue {
  readonly #deps: ConsentDependencies;

  constructor(deps: ConsentDependencies) {
    this.#deps = deps;
  }

  async begin(visit: RequestVisit, session: LoginSession): Promise<AuthorizationAnswer | undefined> {
    const { consent, rememberedConsent } = this.#deps;
    const { request } = visit;
    const { client } = partiesOf(request, this.#deps.registry);
    if (client.skipConsent && rememberedConsent.provesWhoAsks(request, client) && !visit.mustAsk) {
      return this.#give({ visit, session, client, scopes: request.scopes });
    }
    const asking = await this.#asking(visit, session, undefined);
    const { scopes, consented, mustAsk } = asking.context;
    const isCovered = scopes.length > 0 && consented.length === scopes.length;
    if (isCovered && !mustAsk) {
      const isStillAllowed = async () => {
        const agreed = await rememberedConsent.agreed(request, client, session.owner);
        return scopes.every((scope) => agreed.includes(scope));
      };
      return this.#give({ visit, session, client, scopes, isStillAllowed });
    }
    if (request.prompt.includes('none')) throw requestRefusal(request, 'consent_required');
    return this.#take(asking, await consent.begin(asking.context));
  }

  /** A form of the consent module's comes back from the person to whom it was shown. */
  async resume(
    visit: RequestVisit,
    session: LoginSession,
    { moduleState, answerId }: AuthState,
    submission: Submission,
  ): Promise<AuthorizationAnswer | undefined> {
    const asking = { ...(await this.#asking(visit, session, moduleState)), answerId };
    return this.#take(asking, await this.#deps.consent.resume(asking.context, submission));
  }

  /** Whether the page of the state was answered before. */
  async isAnswered({ answerId }: AuthState): Promise<boolean> {
    return answerId !== undefined && this.#deps.consentAnswers.isGiven(answerId);
  }

  /** Says so, and offers to begin again with the request. */
  answered(visit: RequestVisit, session: LoginSession | undefined): AuthorizationAnswer {
    const kept = session === undefined ? {} : { sessionId: session.id };
    const [authState, cookies] = sealVisit('again', visit, kept, this.#deps);
    const { request } = visit;
    const { client } = partiesOf(request, this.#deps.registry);
    return { type: 'answered', authState, request, client, cookies };
  }

  async #asking(visit: RequestVisit, session: LoginSession, state: unknown): Promise<Asking> {
    const { request } = visit;
    const mustAsk = visit.mustAsk || request.prompt.includes('consent');
    const { owner } = session;
    const resourceOwner = { identityProvider: owner.authority, principal: owner.principal };
    const parties = partiesOf(request, this.#deps.registry);
    const agreed = await this.#deps.rememberedConsent.agreed(request, parties.client, owner);
    const { scopes } = request;
    const consented = scopes.filter((scope) => agreed.includes(scope));
    const { requestId } = visit.browser;
    const context = { ...parties, resourceOwner, scopes, consented, mustAsk, requestId, state };
    return { visit, session, agreed, context };
  }

  async #take(asking: Asking, step: ConsentStep): Promise<AuthorizationAnswer | undefined> {
    const { visit, session, context, answerId } = asking;
    const { authStates, consentAnswers, clock, random } = this.#deps;
    const answer = answerId === undefined ? undefined : { id: answerId, expires: authStates.lastUse };
    switch (step.type) {
      case 'consented':
        return this.#consented(asking, step.scopes, step.remember, answer);
      case 'denied':
        if (answer !== undefined && !(await consentAnswers.note(answer))) {
          return this.answered(visit, session);
        }
        throw requestRefusal(visit.request, 'access_denied');
      case 'form': {
        // Shown once more, for a box was missing, say, it is the same question still.
        const kept = {
          sessionId: session.id,
          moduleState: step.state,
          answerId: answerId ?? timeOrderedId(clock.now(), random),
        };
        const [authState, cookies] = sealVisit('consent', visit, kept, this.#deps);
        const { client, resourceServer, scopes, consented } = context;
        const shown = { client, resourceServer, owner: session.owner, scopes, consented };
        return { type: 'consent', step, authState, request: visit.request, ...shown, cookies };
      }
    }
  }

  #consented(
    { visit, session, agreed, context: { client } }: Asking,
    scopes: Scopes,
    isRemembered: boolean,
    answer: ConsentAnswer | undefined,
  ): Promise<AuthorizationAnswer | undefined> {
    const { request } = visit;
    if (!scopes.every((scope) => request.scopes.includes(scope))) {
      throw new OAuthError('invalid_request', { description: 'A scope was granted that was not asked for.' });
    }
    const { rememberedConsent } = this.#deps;
    return this.#give({
      ...{ visit, session, client, scopes, answer },
      ...(isRemembered && {
        remember: (grant) => rememberedConsent.remember(request, client, agreed, scopes, grant),
      }),
    });
  }

  async #give(giving: Giving): Promise<AuthorizationAnswer | undefined> {
    const { visit, session, client, answer, remember, isStillAllowed = async () => true } = giving;
    const { sessions, grants, clock } = this.#deps;
    const { request, cookies } = visit;
    const scopes = remainingScopes(giving.scopes, client.scopes);
    const grant = newGrant(client, session.owner, scopes, this.#deps, answer?.id);
    // Both go into one commit, and the consent after the grant, without which it is not remembered.
    const [location] = await Promise.all([
      respond({ request, client, grant, answer, source: visit.browser.source }, this.#deps),
      remember?.(grant),
    ]);
    if (location === undefined) return this.answered(visit, session);
    const holds = await Promise.all([sessions.isStored(session), isStillAllowed()]);
    if (!holds.includes(false)) return { type: 'redirect', location, cookies };
    // A logout, a withdrawal or a change to the account came before this grant was stored, and could not see it.
    await grants.revoke(grant.id, clock.now());
    return undefined;
  }
}
