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

/** `undefined` if the claims are not those of an access token. @param audiences values of `aud` that mean this API */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  audiences: readonly string[],
): AccessTokenClaims | undefined {
  const { iss, sub, client_id, jti, iat, exp, grant_id, scope = '', roles = [], groups = [] } = claims;
  const { auth_time, acr, cnf, targeted_scope } = claims;
  const isRead =
    isText(iss) &&
    isText(sub) &&
    isText(client_id) &&
    isText(jti) &&
    isTime(iat) &&
    isTime(exp) &&
    (grant_id === undefined || isText(grant_id)) &&
    typeof scope === 'string' &&
    (targeted_scope === undefined || typeof targeted_scope === 'string') &&
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
      scopes: Object.freeze(
        targeted_scope === undefined ? membersOf(scope) : scopesHere(membersOf(targeted_scope), audiences),
      ),
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

function membersOf(scope: string): string[] {
  return scope.split(' ').filter(isText);
}

/**
 * The scopes of this API in a token that is for others too. A member is `read` of the API of the client, and `5\\read` of another one; `5\\\\` and a
 * name of `aud` says which API that is. Another API can have a scope of the same name, and this one can have got it after the token was issued.
 */
function scopesHere(members: readonly string[], audiences: readonly string[]): string[] {
  const parts = members.map((member) => {
    const [, id = '', isMark, name = ''] = /^(?:(\d*)\\(\\?))?(.*)$/s.exec(member) ?? [];
    return { id, isMark: isMark === '\\', name };
  });
  const own = new Set(
    parts.filter(({ isMark, name }) => isMark && audiences.includes(name)).map(({ id }) => id),
  );
  return parts
    .filter(({ id, isMark, name }) => !isMark && name !== '' && own.has(id))
    .map(({ name }) => name);
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
