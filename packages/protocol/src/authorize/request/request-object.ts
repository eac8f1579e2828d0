import { clockSkew, type UnverifiedJwt } from '@watchword/proofs';
import type { RequestObjectClaims } from '../../model/errors/rules/request-object-rules.ts';
import { isObject } from '../../model/json-object.ts';
import { type AuthorizationParameters, firstValue, onlyOfRequest } from '../parameters.ts';

/** The type that a request object can have, so that no other JWT of the client is one (RFC 9101 §10.8). */
const objectType = /^(?:application\/)?oauth-authz-req\+jwt$/i;
const plainType = /^JWT$/i;

/** A request that has a request object, and what is wrong with how both fit. */
export interface ObjectRequest {
  /** All parameters of the request, also if something is wrong with the object: then they say where the error goes. */
  readonly parameters: AuthorizationParameters;
  readonly problem: RequestObjectClaims | undefined;
  /** Whether every parameter is in the object, whose signature protects it. It can name its client by iss alone. */
  readonly isWhole: boolean;
}

/**
 * The request that an object stands for. By OpenID Connect Core §6.1 its parameters supersede those beside it; by RFC 9101 §6.3 it has
 * all of them. The first holds where those beside it have the scope `openid`, unless the type of the object says the second. A client_id
 * or response_type that is another one on each side is an error by both.
 */
export function withObject(outside: AuthorizationParameters, jwt: UnverifiedJwt): ObjectRequest {
  const { inside, problem } = parametersOf(jwt);
  const beside = onlyOfRequest(outside);
  const all = new Map(isOfOpenid(beside, jwt) ? [...beside, ...inside] : inside);
  // Several clients of one vendor can have the same keys.
  const namesClient = firstValue(inside, 'client_id') !== undefined || jwt.claims.iss !== undefined;
  const isWhole = namesClient && [...all.keys()].every((name) => name === 'client_id' || inside.has(name));
  const clientId = beside.get('client_id');
  if (clientId !== undefined) all.set('client_id', clientId);
  return { parameters: all, problem: problem ?? contradiction(beside, inside), isWhole };
}

/** Whether the rules of OpenID Connect hold. No other request can have an object without a signature. */
export function isOfOpenid(beside: AuthorizationParameters, { header }: UnverifiedJwt): boolean {
  const scopes = firstValue(beside, 'scope')?.split(' ') ?? [];
  return scopes.includes('openid') && !objectType.test(header.typ ?? '');
}

function contradiction(
  beside: AuthorizationParameters,
  inside: AuthorizationParameters,
): RequestObjectClaims | undefined {
  for (const name of ['client_id', 'response_type']) {
    const [one, other] = [firstValue(beside, name), firstValue(inside, name)];
    if (one !== undefined && other !== undefined && one !== other)
      return { problem: `has another ${name} than the request itself`, expected: `the same ${name}` };
  }
  return undefined;
}

/** The members of an object as parameters: those that can be read, and what is wrong with the first other one. */
function parametersOf({ claims }: UnverifiedJwt): {
  readonly inside: AuthorizationParameters;
  readonly problem: RequestObjectClaims | undefined;
} {
  const nested = ['request', 'request_uri'].find((name) => claims[name] !== undefined);
  const inside = new Map<string, readonly string[]>();
  let wrong: string | undefined;
  for (const [name, value] of Object.entries(claims)) {
    const values = valuesOf(value);
    if (values === undefined) wrong ??= name;
    else inside.set(name, values);
  }
  const own = onlyOfRequest(inside);
  const isWrong = wrong !== undefined && onlyOfRequest(new Map([[wrong, []]])).size > 0;
  if (nested !== undefined) return { inside: own, problem: { problem: `has the member ${nested}` } };
  return { inside: own, problem: isWrong ? { problem: `has a ${wrong} that is no text` } : undefined };
}

/** Numbers and truth values are texts in a query, objects are JSON (OpenID Connect Core §6.1), and a list is a repeated parameter. */
function valuesOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  const texts: readonly unknown[] = Array.isArray(value)
    ? value
    : [isObject(value) ? JSON.stringify(value) : String(value)];
  return texts.every(canBeSent) ? texts : undefined;
}

/** JSON has texts that no query and no form has: they could not be sent back. */
function canBeSent(text: unknown): text is string {
  return typeof text === 'string' && !text.includes('\0') && text.isWellFormed();
}

/** Whom the object is from and for. */
export interface ObjectParties {
  readonly clientId: string;
  /** This server. */
  readonly issuer: string;
}

/** What is wrong with what an object says of itself, if it says it (RFC 9101 §4, §10.8). @param now epoch milliseconds */
export function claimsProblem(
  { header, claims }: UnverifiedJwt,
  { clientId, issuer }: ObjectParties,
  now: number,
): RequestObjectClaims | undefined {
  const { iss, aud, sub, exp, nbf, iat } = claims;
  const { typ } = header;
  if (typ !== undefined && !objectType.test(typ) && !plainType.test(typ))
    return { problem: 'has another type', expected: 'typ oauth-authz-req+jwt' };
  if (iss !== undefined && iss !== clientId)
    return { problem: 'is of another issuer', expected: 'the client_id as iss' };
  if (aud !== undefined && ![aud].flat().includes(issuer))
    return { problem: 'is for another audience', expected: `aud ${issuer}` };
  if (sub !== undefined && sub === clientId)
    return { problem: 'has the client as sub, as assertions have', expected: 'no sub' };
  const seconds = Math.floor(now / 1000);
  if (![exp, nbf, iat].every((time) => time === undefined || Number.isFinite(time)))
    return { problem: 'has a time that is no number', expected: 'seconds since 1970' };
  if (typeof exp === 'number' && exp <= seconds - clockSkew)
    return { problem: 'has expired', expected: 'exp after now', came: `exp ${seconds - exp} s before now` };
  const early = [nbf, iat].find((time) => typeof time === 'number' && time > seconds + clockSkew);
  return early === undefined
    ? undefined
    : { problem: 'is not valid yet', expected: 'nbf and iat not after now' };
}
