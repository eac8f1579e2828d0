import { OAuthError } from '../model/errors.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { AttemptLimiter } from '../ports/attempt-limiter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Registry } from '../ports/registry.ts';
import type { ClientAuthenticationMethod, RegisteredCaller } from './authentication-method.ts';
import { failedAuthenticationReason } from './failed-authentication.ts';
import type { Presented } from './presented-credentials.ts';
import { registeredMethods } from './registered-methods.ts';

export interface AuthenticationDependencies {
  readonly registry: Registry;
  readonly attempts: AttemptLimiter;
  readonly clock: Clock;
  readonly authenticationMethods: readonly ClientAuthenticationMethod[];
}

/** Which callers an endpoint has, and how they authenticate. */
export interface CallerKind<Request extends RequestHead, Caller extends RegisteredCaller> {
  /** @throws OAuthError `invalid_request` when the credentials contradict each other; then no secret is tried */
  read(request: Request, methods: readonly ClientAuthenticationMethod[]): Presented | undefined;
  /** Whether the endpoint takes the method. */
  accepts(method: ClientAuthenticationMethod): boolean;
  /**
   * All records that the identifier could mean, `undefined` in place of one that does not exist. The number of entries is
   * the same for each identifier, and so is the time that an attempt takes.
   */
  candidates(id: string, registry: Registry): readonly (Caller | undefined)[];
  /** The description of the error for a request without credentials. No other error describes what is wrong. */
  readonly missing: string;
}

/**
 * Verifies the presented credentials within the limits of failed attempts. An unknown identifier and a wrong secret have
 * the same answer and cost the same. Missing and malformed credentials are failures too, so that leaving them out does
 * not evade the limits.
 *
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`
 */
export async function authenticateCaller<Request extends RequestHead, Caller extends RegisteredCaller>(
  request: Request,
  kind: CallerKind<Request, Caller>,
  deps: AuthenticationDependencies,
): Promise<Caller> {
  const { authenticationMethods, registry } = deps;
  const presented = kind.read(request, authenticationMethods);
  const candidates = () => (presented ? kind.candidates(presented.credentials.id, registry) : []);
  const known = candidates();
  try {
    return await verifyCaller(request, kind, presented, known, deps);
  } catch (error) {
    if (!(error instanceof OAuthError) || error.kind !== 'invalid_client') throw error;
    // Another node can have registered the caller, or replaced its secret, a moment ago.
    await registry.refresh();
    const current = candidates();
    if (current.every((candidate, index) => candidate === known[index])) throw error;
    return verifyCaller(request, kind, presented, current, deps);
  }
}

async function verifyCaller<Request extends RequestHead, Caller extends RegisteredCaller>(
  request: Request,
  kind: CallerKind<Request, Caller>,
  presented: Presented | undefined,
  candidates: readonly (Caller | undefined)[],
  { attempts, clock }: AuthenticationDependencies,
): Promise<Caller> {
  const { source } = request;
  const id = presented?.credentials.id ?? '';
  const blockedFor = attempts.secondsUntilAllowed(source, id);
  if (blockedFor > 0) throw tooManyFailures(blockedFor);
  if (presented !== undefined && kind.accepts(presented.method)) {
    const { method, credentials } = presented;
    let authenticated: Caller | undefined;
    for (const candidate of candidates) {
      const verification = method.verify(credentials, candidate, request, clock.now());
      // A secret is verified without a pause: guesses that arrive together are counted one after the other.
      const isVerified = typeof verification === 'boolean' ? verification : await verification;
      if (isVerified && candidate !== undefined && registeredMethods(candidate).includes(method.name)) {
        authenticated ??= candidate;
      }
    }
    if (authenticated !== undefined) return authenticated;
  }
  const retryAfter = attempts.recordFailure(source, id);
  if (retryAfter > 0) throw tooManyFailures(retryAfter);
  const named = candidates.find((candidate) => candidate !== undefined);
  throw new OAuthError('invalid_client', {
    ...(presented === undefined && { description: kind.missing }),
    reason: failedAuthenticationReason(presented, named, kind.accepts),
  });
}

function tooManyFailures(retryAfter: number): OAuthError {
  return new OAuthError('too_many_requests', {
    retryAfter,
    reason: `There were too many failed attempts from the network address of the caller, so the credentials were not accepted for ${retryAfter} seconds.`,
  });
}
