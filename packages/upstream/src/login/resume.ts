import {
  type Authenticated,
  type AuthenticationContext,
  type AuthenticationRefused,
  type AuthenticationStep,
  type ReceivedValues,
  type RefusedLogin,
  type Submission,
  shown,
  submitted,
} from '@watchword/protocol';
import type { OidcDependencies } from '../dependencies.ts';
import { type Claims, mapPrincipal, providedClaims, textsOf } from '../principal/map-principal.ts';
import type { IssuerRule } from '../provider/issuer-rule.ts';
import type { ProviderMetadata } from '../provider/metadata.ts';
import { reportingErrors } from '../reporting-errors.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { PendingLogin } from './begin.ts';
import { githubUser } from './github-user.ts';
import type { IdTokenClaims } from './id-token.ts';
import { type IdentifiedUser, openidUser } from './openid-user.ts';
import { redeemCode } from './redeem-code.ts';
import { sessionLink } from './session-link.ts';

/** The end of a login, after the authentication response (OpenID Connect Core §3.1.2.5). */
export function resume(
  context: AuthenticationContext,
  submission: Submission,
  deps: OidcDependencies,
): Promise<AuthenticationStep> {
  const { requestId, isTest = false } = context;
  return reportingErrors({ of: 'login', requestId }, deps, async () => {
    const received: { claims?: Claims } = {};
    try {
      const step = await answered(context.state as PendingLogin | undefined, submission, received, deps);
      return isTest ? { ...step, received: shownClaims(received.claims) } : step;
    } catch (error) {
      if (!isTest || !(error instanceof UpstreamError)) throw error;
      const description = plain(`${error.check}: ${error.message}`);
      return { type: 'refused', description, received: shownClaims(received.claims) };
    }
  });
}

/** @param received gets the claims as soon as they are there @throws UpstreamError */
async function answered(
  pending: PendingLogin | undefined,
  submission: Submission,
  received: { claims?: Claims },
  deps: OidcDependencies,
): Promise<Authenticated | AuthenticationRefused> {
  const { options, provider } = deps;
  if (pending === undefined) throw new UpstreamError('request', 'this login did not lead to the provider');
  requireSender(submitted(submission, 'iss'), await provider.metadata(), provider.issuers);
  const error = submitted(submission, 'error');
  if (error !== '') return refused(error, submitted(submission, 'error_description'));
  const code = submitted(submission, 'code');
  if (code === '') throw new UpstreamError('response', 'expected code or error in the response');
  const tokens = await redeemCode(code, pending.verifier, deps);
  const identify = options.preset === 'github' ? githubUser : openidUser;
  const { issuer, login, claims } = await identify(tokens, pending, deps);
  received.claims = claims;
  if (!isRecent(login, pending, options.clockSkew)) {
    return {
      type: 'refused',
      error: 'login_required',
      description: 'The identity provider did not ask the user to log in again.',
    };
  }
  return authenticated({ issuer, login, claims }, tokens.idToken, deps);
}

/** RFC 9207 §2.4: the response of another provider must not be taken for one of this. @throws UpstreamError `issuer` */
function requireSender(iss: string, { issuer, namesIssuer }: ProviderMetadata, issuers: IssuerRule): void {
  if (iss === '' ? !namesIssuer : issuers.includes(iss, issuer) === true) return;
  const came = shown(iss === '' ? 'none' : iss, 300);
  throw new UpstreamError('issuer', `expected the issuer ${issuer} in the response, got ${came}`);
}

/** What the client gets for an error of the provider (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const refusals: Readonly<Record<string, RefusedLogin>> = {
  access_denied: 'access_denied',
  login_required: 'login_required',
  interaction_required: 'interaction_required',
  consent_required: 'interaction_required',
  account_selection_required: 'interaction_required',
  unmet_authentication_requirements: 'unmet_authentication_requirements',
};

const temporary = new Set(['temporarily_unavailable', 'server_error']);

/** @throws UpstreamError for an error that is not for the client: a failure of the provider, or a mistake in the configuration */
function refused(error: string, said: string): AuthenticationRefused {
  const own = Object.hasOwn(refusals, error) ? refusals[error] : undefined;
  if (own !== undefined) {
    const description = `The identity provider answered with the error ${error}.`;
    return { type: 'refused', error: own, description };
  }
  const detail = `the provider answered with the error ${shown(error, 100)}: ${shown(said, 300)}`;
  throw new UpstreamError(temporary.has(error) ? 'unreachable' : 'status', detail);
}

/** Whether the login at the provider is as new as the client requires (`max_age`, OpenID Connect Core §3.1.2.1). */
function isRecent(
  { authTime }: IdTokenClaims,
  { maxAge, askedAt }: PendingLogin,
  clockSkew: number,
): boolean {
  if (maxAge === undefined) return true;
  // Seconds are rounded down.
  return authTime !== undefined && (authTime + 1 + maxAge) * 1000 >= askedAt - clockSkew;
}

async function authenticated(
  { issuer, login, claims }: IdentifiedUser,
  idToken: string,
  deps: OidcDependencies,
): Promise<Authenticated> {
  const { options } = deps;
  const { sub, authTime, acr, amr } = login;
  return {
    type: 'authenticated',
    principal: mapPrincipal(claims, issuer, options.principal),
    identityProvider: issuer,
    stableId: sub,
    claims: providedClaims(claims, options),
    ...(authTime !== undefined && { authenticatedAt: Math.floor(authTime * 1000) }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
    link: await sessionLink({ ...login, issuer }, idToken, deps),
  };
}

const maxShown = 100;
// Claims of the messages, which say nothing about the user.
const unshown = new Set(['iss', 'aud', 'exp', 'iat', 'nbf', 'nonce', 'azp', 'at_hash', 'c_hash', 'jti']);

function shownClaims(claims: Claims = {}): ReceivedValues {
  return Object.fromEntries(
    Object.entries(claims)
      .filter(([name]) => !unshown.has(name))
      .slice(0, maxShown)
      .map(([name, value]) => [
        name,
        typeof value === 'object' && !Array.isArray(value)
          ? [JSON.stringify(value)]
          : textsOf(value).slice(0, maxShown),
      ]),
  );
}

/** As `AuthenticationRefused` has it. */
function plain(text: string): string {
  return text.replaceAll(/[^ -~]|["\\]/g, '?');
}
