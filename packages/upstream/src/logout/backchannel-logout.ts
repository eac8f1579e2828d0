import {
  type DocumentAnswer,
  isObject,
  type ModuleAnswer,
  type ModuleEndpoint,
  type ModuleRequest,
  submitted,
} from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { OidcDependencies } from '../dependencies.ts';
import { requireAudience, requireIssuer } from '../login/id-token.ts';
import { type LinkedSession, linkKey, usedToken, userOfSession } from '../login/session-link.ts';
import type { VerifiedToken } from '../provider/keys.ts';
import { isTime } from '../provider/requests.ts';
import { reportingErrors } from '../reporting-errors.ts';
import { isTemporary, UpstreamError } from '../upstream-error.ts';

const bodyLimit = 64 * 1024;
const event = 'http://schemas.openid.net/event/backchannel-logout';
// Milliseconds: a provider sends a token at once, so an older one is a replay.
const maxAge = 300_000;

/** `POST {base}/login/{as}/backchannel-logout`: the provider ends sessions (OpenID Connect Back-Channel Logout §2.5). */
export function backchannelLogoutEndpoint(deps: OidcDependencies): ModuleEndpoint {
  return {
    path: paths.backchannelLogout,
    method: 'POST',
    bodyLimit,
    answer: (request) => {
      const { requestId } = request;
      return reportingErrors({ of: 'logout', requestId }, deps, () => ended(request, deps), rejected);
    },
  };
}

async function ended({ parameters }: ModuleRequest, deps: OidcDependencies): Promise<ModuleAnswer> {
  const { options, provider, services, log } = deps;
  const token = submitted(parameters, 'logout_token');
  if (token === '' || (parameters.get('logout_token')?.length ?? 0) > 1) {
    throw new UpstreamError('response', 'expected one logout_token');
  }
  const verified = await provider.verified(token);
  const issuer = provider.issuers.expected(verified.claims, (await provider.metadata()).issuer);
  const named = checkLogoutToken(verified, issuer, deps);
  const { clock, oneTime } = services;
  const used = usedToken(issuer, named.jti);
  const usable = named.issuedAt + 2 * maxAge;
  if ((await oneTime.find(used, clock.now())) !== undefined) {
    throw new UpstreamError('replay', 'the logout token was used before');
  }
  const { sid } = named;
  const sub = named.sub ?? (sid && (await oneTime.find(userOfSession(issuer, sid), clock.now())));
  log('info', 'an identity provider ends login sessions', { provider: issuer });
  return {
    type: 'logout',
    // Without a user there is no session: it was ended before, or never was here.
    ...(sub !== undefined && { key: linkKey(issuer, sub) }),
    isMeant: (data) => {
      const linked: LinkedSession = JSON.parse(data);
      // A token that came late must not end a session that began after it.
      if (linked.since > named.issuedAt + options.clockSkew) return false;
      return sid === undefined || linked.sid === undefined || linked.sid === sid;
    },
    // What has ended stays ended, so a token that comes twice before that is harmless.
    onEnded: () => oneTime.put(used, '', usable),
    document: { type: 'document', contentType: 'application/json', content: '' },
  };
}

interface NamedSession {
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  readonly jti: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
}

/** The rules of §2.6. @throws UpstreamError */
function checkLogoutToken(
  { claims, typ }: VerifiedToken,
  issuer: string,
  { options, services }: Pick<OidcDependencies, 'options' | 'services'>,
): NamedSession {
  if (typ !== undefined && !/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ)) {
    throw new UpstreamError('token', 'expected the type logout+jwt of the logout token');
  }
  requireIssuer(claims, issuer);
  requireAudience(claims, options);
  const { iat, exp, jti, sub, sid, events } = claims;
  const now = services.clock.now();
  const { clockSkew } = options;
  if (!isTime(iat) || Math.abs(now - iat * 1000) > maxAge + clockSkew) {
    throw new UpstreamError('time', 'the logout token was not issued recently; do the clocks agree?');
  }
  // Required since the first errata; some providers are older.
  if (exp !== undefined && (!isTime(exp) || exp * 1000 <= now - clockSkew)) {
    throw new UpstreamError('time', 'the logout token has expired; do the clocks agree?');
  }
  if (!isObject(events) || !isObject(events[event])) {
    throw new UpstreamError('events', `expected the event ${event} in the logout token`);
  }
  // So that no ID token can be taken for a logout token (§2.4).
  if (Object.hasOwn(claims, 'nonce')) throw new UpstreamError('nonce', 'expected no nonce in a logout token');
  if (!isName(jti)) throw new UpstreamError('token', 'expected jti in the logout token');
  if (
    (sub !== undefined && !isName(sub)) ||
    (sid !== undefined && !isName(sid)) ||
    (sub ?? sid) === undefined
  ) {
    throw new UpstreamError('subject', 'expected sub or sid in the logout token');
  }
  return { sub, sid, jti, issuedAt: iat * 1000 };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function rejected(error: UpstreamError): DocumentAnswer {
  return isTemporary(error)
    ? document(503, 'temporarily_unavailable', 'The keys of the provider could not be loaded.')
    : document(400, 'invalid_request', `The logout token was rejected by the check: ${error.check}.`);
}

function document(status: number, error: string, description: string): DocumentAnswer {
  const content = JSON.stringify({ error, error_description: description });
  return { type: 'document', contentType: 'application/json', content, status };
}
