import type { Client } from '../model/records/client.ts';
import type { LogoutDelivery } from '../model/records/session-client.ts';
import type { Random } from '../ports/crypto/random.ts';
import type { JwtClaims, TokenSigner } from '../ports/crypto/token-signer.ts';
import type { LogoutDeliveryStore } from '../ports/stores/logins/session-client-store.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Clock } from '../ports/system/clock.ts';
import type { OutboundFetch } from '../ports/system/outbound-fetch.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { signingAlgorithm } from './id-token.ts';

export interface DeliverLogoutDependencies {
  readonly logoutDeliveries: Pick<LogoutDeliveryStore, 'claim' | 'update' | 'remove'>;
  readonly registry: Pick<Registry, 'clientById'>;
  readonly signer: TokenSigner;
  readonly outboundFetch: OutboundFetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly issuer: string;
}

/**
 * - `delivered`: the client has accepted the logout token
 * - `retried`: the attempt failed, and there is a next one
 * - `failed`: there is no next attempt
 * - `dropped`: the client is gone, or has no back-channel logout URI
 * - `taken`: another process has the attempt
 */
export type LogoutOutcome = 'delivered' | 'retried' | 'failed' | 'dropped' | 'taken';

/** How an attempt ended. */
export interface LogoutAttemptResult {
  readonly outcome: LogoutOutcome;
  /** Why it failed, in words for the operator. */
  readonly reason?: string;
}

/** Milliseconds for one attempt: until the head of the answer has arrived. */
export const logoutAttemptTimeout = 5000;

// An attempt whose process ended is made again after this time.
const claimTime = 30_000;

const firstWait = 10_000;
const longestWait = 6 * 3_600_000;
/** With the waits between them: about a day. */
export const maxLogoutAttempts = 12;

/**
 * Milliseconds to the next attempt: three times as long after each failure, with up to a fifth more, so that the clients of a
 * receiver that was down do not all come back at once.
 *
 * @param attempts that have failed, at least 1
 * @param jitter from 0 to 1
 */
export function waitAfter(attempts: number, jitter: number): number {
  return Math.round(Math.min(firstWait * 3 ** (attempts - 1), longestWait) * (1 + jitter / 5));
}

/** Makes the next attempt of a delivery (OpenID Connect Back-Channel Logout §2.5, §2.8). */
export async function deliverLogout(
  delivery: LogoutDelivery,
  deps: DeliverLogoutDependencies,
): Promise<LogoutAttemptResult> {
  const { clock, logoutDeliveries, registry } = deps;
  if (!(await logoutDeliveries.claim(delivery, clock.now() + claimTime))) return { outcome: 'taken' };
  const client = registry.clientById(delivery.clientRecordId);
  if (client === undefined || client.backchannelLogoutUri === '') {
    await logoutDeliveries.remove(delivery);
    return { outcome: 'dropped' };
  }
  const failure = await attempt(delivery, client, deps);
  if (failure === undefined) {
    await logoutDeliveries.remove(delivery);
    return { outcome: 'delivered' };
  }
  const attempts = delivery.attempts + 1;
  const isLast = failure.isFinal || attempts >= maxLogoutAttempts;
  const nextAttempt = isLast ? undefined : clock.now() + waitAfter(attempts, jitterOf(deps.random));
  await logoutDeliveries.update(delivery, { attempts, nextAttempt, failure: failure.reason });
  return { outcome: isLast ? 'failed' : 'retried', reason: failure.detail ?? failure.reason };
}

interface Failure {
  /** In words for the record owner. */
  readonly reason: string;
  /** In words for the operator, if those are others. */
  readonly detail?: string;
  readonly isFinal: boolean;
}

const notPublic =
  'the client has a host without a public address; an operator can permit others by the setting outbound.privateHosts';

// The record owner does not learn what the server finds in its own network: which names it resolves, and to which addresses.
const reasonsForOwner: ReadonlyMap<unknown, string> = new Map([
  ['private-address', notPublic],
  ['unresolved-host', notPublic],
]);

/** `undefined` if the client has accepted the logout token. */
async function attempt(
  delivery: LogoutDelivery,
  client: Client,
  { signer, outboundFetch, clock, random, issuer }: DeliverLogoutDependencies,
): Promise<Failure | undefined> {
  try {
    const algorithm = signingAlgorithm(client.idTokenSignedResponseAlg, client, signer);
    const now = clock.now();
    const jti = timeOrderedId(now, random);
    const claims = logoutTokenClaims(delivery, client.clientId, issuer, now, jti);
    const logoutToken = await signer.sign(claims, { algorithm, type: 'logout+jwt' });
    // The body of the answer has no meaning, so it is never read, however large it is.
    using answer = await outboundFetch(client.backchannelLogoutUri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' },
      body: `logout_token=${logoutToken}`,
      maxBytes: Number.MAX_SAFE_INTEGER,
      answerTimeout: logoutAttemptTimeout,
      timeout: logoutAttemptTimeout,
    });
    return failureOf(answer.status);
  } catch (error) {
    // Only errors with a kind have a message for operators.
    const isExplained = error instanceof Error && 'kind' in error;
    if (!isExplained) return { reason: 'the logout token could not be signed or sent', isFinal: false };
    const detail = error.message.slice(0, 300);
    return { reason: reasonsForOwner.get(error.kind) ?? detail, detail, isFinal: false };
  }
}

function failureOf(status: number): Failure | undefined {
  if (status === 200 || status === 204) return undefined;
  // §2.8: the client has found the logout token invalid, and would find the next one invalid too.
  if (status === 400)
    return { reason: 'the client answered 400: it rejects the logout token', isFinal: true };
  return { reason: `the client answered ${status}; expected 200 or 204`, isFinal: false };
}

function jitterOf(random: Random): number {
  const bytes = Buffer.alloc(1);
  random.fill(bytes);
  return bytes.readUInt8() / 255;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

// Seconds. Back-Channel Logout §4 advises at most two minutes. Each attempt has a token of its own.
const logoutTokenLifetime = 120;

/**
 * The claims of a logout token (OpenID Connect Back-Channel Logout §2.4). It has no nonce, so that no client takes it for an ID
 * token.
 *
 * @param now epoch milliseconds
 * @param jti id of this token
 */
function logoutTokenClaims(
  { subject, sid }: Pick<LogoutDelivery, 'subject' | 'sid'>,
  clientId: string,
  issuer: string,
  now: number,
  jti: string,
): JwtClaims {
  const iat = Math.floor(now / 1000);
  return {
    iss: issuer,
    sub: subject,
    aud: clientId,
    iat,
    exp: iat + logoutTokenLifetime,
    jti,
    sid,
    events: { [logoutEvent]: {} },
  };
}
