import type { LogoutDelivery } from '../model/records/session-client.ts';
import type { JwtClaims } from '../ports/crypto/token-signer.ts';

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
export function logoutTokenClaims(
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
