import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import type { RequestHead } from '../../model/request-head.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import type { AttemptLimiter } from '../../ports/system/attempt-limiter.ts';
import type { Clock } from '../../ports/system/clock.ts';
import type { Tracer } from '../../ports/system/tracer.ts';
import { onlyAdministers } from '../../rules/built-in-records.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  isClient,
  type RegisteredCaller,
  type SlowSecrets,
} from './authentication-method.ts';
import type { Presented } from './presented-credentials.ts';

export interface AuthenticationDependencies {
  readonly registry: Registry;
  readonly attempts: AttemptLimiter;
  readonly clock: Clock;
  readonly authenticationMethods: readonly ClientAuthenticationMethod[];
  readonly slowSecrets: SlowSecrets;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  readonly tracer?: Tracer | undefined;
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

/** The kind with one client alone, as its document describes it now. */
export function onlyDescribed<Request extends RequestHead, Caller extends RegisteredCaller>(
  kind: CallerKind<Request, Caller>,
  described: (Caller & Client) | undefined,
): CallerKind<Request, Caller> {
  if (described === undefined) return kind;
  return { ...kind, candidates: (id) => [id === described.clientId ? described : undefined] };
}

/**
 * Verifies the presented credentials within the limits of failed attempts. An unknown identifier and a wrong secret have
 * the same answer and cost the same, unless the caller has a secret that can be guessed: its time shows the slow hash. Missing and malformed credentials are failures too, so that leaving them out does
 * not evade the limits.
 *
 * @returns the caller itself if its credentials are verified without a pause, so that a right secret waits for no promise
 * @throws OAuthError `invalid_client`, `invalid_request`, `too_many_requests`; or rejects with it
 */
export function authenticateCaller<Request extends RequestHead, Caller extends RegisteredCaller>(
  request: Request,
  kind: CallerKind<Request, Caller>,
  deps: AuthenticationDependencies,
): Caller | Promise<Caller> {
  if (deps.tracer === undefined) return authenticated(request, kind, deps);
  return deps.tracer.step('authenticate caller', () => authenticated(request, kind, deps));
}

function authenticated<Request extends RequestHead, Caller extends RegisteredCaller>(
  request: Request,
  kind: CallerKind<Request, Caller>,
  deps: AuthenticationDependencies,
): Caller | Promise<Caller> {
  const { attempts, authenticationMethods, clock, registry } = deps;
  const presented = kind.read(request, authenticationMethods);
  const id = presented?.credentials.id ?? '';
  const registered = () => kind.candidates(id, registry);
  const verified = (candidates: readonly (Caller | undefined)[]) => {
    const blockedFor = attempts.secondsUntilAllowed(request.source, id);
    if (blockedFor > 0) throw tooManyFailures(blockedFor);
    if (presented === undefined || !kind.accepts(presented.method)) return undefined;
    return verifiedAmong(candidates, presented, request, clock.now());
  };

  const unlessRefused = async (
    candidates: readonly (Caller | undefined)[],
    verification: Caller | undefined | Promise<Caller | undefined>,
    isAgain = false,
  ): Promise<Caller> => {
    // A secret is verified without a pause: guesses that arrive together are counted one after the other. A slow hash has its own
    // limits, which count before it is computed.
    let caller = verification instanceof Promise ? await verification : verification;
    if (caller === undefined && presented !== undefined && kind.accepts(presented.method)) {
      const slow = slowlyVerified(candidates, presented, request, clock.now());
      if (slow !== undefined) caller = await slow;
    }
    // The record can have changed while its secret was verified.
    if (caller !== undefined && registered().includes(caller)) {
      if (await isFirstUse(presented)) return permitted(caller, presented, deps);
    } else if (caller !== undefined && !isAgain) {
      return unlessRefused(registered(), verified(registered()), true);
    }
    const retryAfter = attempts.recordFailure(request.source, id);
    if (retryAfter > 0) throw tooManyFailures(retryAfter);
    // Another node can have registered the caller, or replaced its secret, a moment ago.
    if (!isAgain) await registry.refresh();
    const current = isAgain ? candidates : registered();
    if (current.some((candidate, index) => candidate !== candidates[index])) {
      return unlessRefused(current, verified(current), true);
    }
    const named = current.find((candidate) => candidate !== undefined);
    throw new OAuthError(
      'invalid_client',
      presented === undefined
        ? because('client_credentials', { missing: kind.missing })
        : await failedAuthentication(presented, named, kind.accepts, request, clock.now()),
    );
  };

  const candidates = registered();
  const verification = verified(candidates);
  const isVerified =
    verification !== undefined && !(verification instanceof Promise) && presented?.method.useUp === undefined;
  return isVerified ? permitted(verification, presented, deps) : unlessRefused(candidates, verification);
}

/** The caller, unless the profile of the server asks clients for another method. @throws OAuthError `invalid_client` */
function permitted<Caller extends RegisteredCaller>(
  caller: Caller,
  presented: Presented | undefined,
  { profile, registry }: AuthenticationDependencies,
): Caller {
  if (profile === undefined || presented === undefined || !isClient(caller)) return caller;
  const refused = profile.refusal('client', {
    method: presented.method.name,
    onlyAdministers: onlyAdministers(caller, registry.resourceServerById(caller.resourceServerId)),
  });
  if (refused !== undefined) throw refused;
  return caller;
}

/** Whether the credentials can be used again, or are used for the first time, and up from now on. */
async function isFirstUse(presented: Presented | undefined): Promise<boolean> {
  const { method, credentials } = presented ?? {};
  return method?.useUp === undefined || credentials === undefined || method.useUp(credentials);
}

/** The candidate whose credentials these are. All candidates are verified. */
function verifiedAmong<Caller extends RegisteredCaller>(
  candidates: readonly (Caller | undefined)[],
  { method, credentials }: Presented,
  request: RequestHead,
  now: number,
): Caller | undefined | Promise<Caller | undefined> {
  const verifications = candidates.map((candidate) => method.verify(credentials, candidate, request, now));
  const chosen = (areVerified: readonly boolean[]) =>
    candidates.find(
      (candidate, index) =>
        areVerified[index] && candidate !== undefined && method.isRegisteredFor(candidate),
    );
  const isPaused = (verification: boolean | Promise<boolean>) => typeof verification !== 'boolean';
  return verifications.some(isPaused)
    ? Promise.all(verifications).then(chosen)
    : chosen(verifications as boolean[]);
}

/** Verifies only what takes long, until the credentials are those of a candidate; `undefined` if nothing does. */
function slowlyVerified<Caller extends RegisteredCaller>(
  [candidate, ...others]: readonly (Caller | undefined)[],
  presented: Presented,
  ...given: readonly [request: RequestHead, now: number]
): Promise<Caller | undefined> | undefined {
  const { method, credentials } = presented;
  const verification =
    candidate !== undefined && method.isRegisteredFor(candidate)
      ? method.verifySlowly?.(credentials, candidate, ...given)
      : undefined;
  const next = () => (others.length === 0 ? undefined : slowlyVerified(others, presented, ...given));
  return verification === undefined
    ? next()
    : verification.then((isVerified) => (isVerified ? candidate : next()));
}

/**
 * Why an authentication failed, for the record owner: the answer to the caller does not say it. Without a reason if the
 * request names no registered caller.
 *
 * @param caller the record that the credentials name
 * @param accepts whether the endpoint takes the method
 */
export function failedAuthentication(
  { method, credentials }: Presented,
  caller: RegisteredCaller | undefined,
  accepts: (method: ClientAuthenticationMethod) => boolean,
  ...given: readonly [request: RequestHead, now: number]
): FailedAuthentication | Promise<FailedAuthentication> {
  const { id } = credentials;
  if (caller === undefined && id === '') return because('client_credentials', { malformed: true });
  if (caller === undefined) return because('registered_caller', { id });
  if (!accepts(method)) return because('accepted_method', { method: method.name });
  return method.whyFailed(credentials, caller, ...given);
}

function tooManyFailures(retryAfter: number): OAuthError {
  const why = because('few_failures', { retryAfter, isGuessable: false });
  return new OAuthError('too_many_requests', { ...why, retryAfter });
}
