import { readConfirmation } from '../lookup/parse-token-info.ts';
import type { TokenInfo } from '../token-info.ts';

/** The claims of a JWT access token (RFC 9068 §2.2) that this package reads, and those of Watchword. */
export interface AccessTokenClaims {
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenId: string;
  /** `undefined` for a client that acts for itself. */
  readonly grantId: string | undefined;
  /** Epoch seconds. */
  readonly issuedAt: number;
  readonly info: TokenInfo;
}

/** `undefined` if the claims are not those of an access token. */
export function readClaims(claims: Readonly<Record<string, unknown>>): AccessTokenClaims | undefined {
  const { iss, sub, client_id, jti, iat, exp, grant_id, scope = '', roles = [], groups = [] } = claims;
  const { auth_time, acr, cnf } = claims;
  const isRead =
    isText(iss) &&
    isText(sub) &&
    isText(client_id) &&
    isText(jti) &&
    isTime(iat) &&
    isTime(exp) &&
    (grant_id === undefined || isText(grant_id)) &&
    typeof scope === 'string' &&
    isTexts(roles) &&
    isTexts(groups) &&
    (auth_time === undefined || isTime(auth_time)) &&
    (acr === undefined || isText(acr));
  if (!isRead) return undefined;
  const confirmation = cnf === undefined ? undefined : readConfirmation(cnf);
  if (cnf !== undefined && confirmation === undefined) return undefined;
  return {
    issuer: iss,
    clientId: client_id,
    tokenId: jti,
    grantId: grant_id,
    issuedAt: iat,
    info: Object.freeze({
      audience: client_id,
      scopes: Object.freeze(scope.split(' ').filter(isText)),
      principal: Object.freeze({
        name: sub,
        roles: Object.freeze([...roles]),
        groups: Object.freeze([...groups]),
        adminPrincipal: false,
        attributes: Object.freeze({}),
      }),
      expires_in: exp * 1000,
      ...(confirmation && { cnf: confirmation }),
      ...(auth_time !== undefined ? { auth_time } : grant_id === undefined && { auth_time: null }),
      ...(acr !== undefined && { acr }),
      claims: frozen(claims),
    }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Requests share the claims. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
