import type {
  ClaimsRequest,
  RequestedClaim,
  RequestedClaims,
  RequestedValue,
} from '../model/claims-request.ts';
import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { isObject } from '../model/json-object.ts';

/** Claims of each part, and values of a claim. */
const maxMembers = 100;

/**
 * Reads the parameter `claims`. Claims that the server does not know are left out, because a server ignores them (§5.5).
 *
 * @param known whether the server can have a claim of that name
 * @returns `undefined` when no claim is left; `invalid_request` when the text is not of the form of §5.5
 */
export function readClaimsRequest(
  text: string,
  known: (claim: string) => boolean,
): ClaimsRequest | undefined | RedirectableError {
  const parsed = parseObject(text);
  if (parsed === undefined) return malformed('a JSON object', text);
  const userinfo = readPart(parsed.userinfo, known);
  const idToken = readPart(parsed.id_token, known);
  if (userinfo instanceof RedirectableError) return userinfo;
  if (idToken instanceof RedirectableError) return idToken;
  if (userinfo === undefined && idToken === undefined) return undefined;
  return { ...(userinfo && { userinfo }), ...(idToken && { id_token: idToken }) };
}

/** The values of which a claim must have one; `undefined` when any value will do. */
export function acceptedValues(claim: RequestedClaim | undefined): readonly RequestedValue[] | undefined {
  if (claim?.value !== undefined) return [claim.value];
  return claim?.values;
}

function readPart(
  part: unknown,
  known: (claim: string) => boolean,
): RequestedClaims | undefined | RedirectableError {
  if (part === undefined || part === null) return undefined;
  if (!isObject(part)) return malformed('an object in userinfo and in id_token');
  const entries = Object.entries(part);
  if (entries.length > maxMembers)
    return malformed(`at most ${maxMembers} claims in userinfo and in id_token`);
  const claims: [string, RequestedClaim][] = [];
  for (const [name, member] of entries) {
    const claim = readClaim(member);
    if (claim instanceof RedirectableError) return claim;
    if (known(name)) claims.push([name, claim]);
  }
  return claims.length === 0 ? undefined : Object.fromEntries(claims);
}

/** Members that are not understood are ignored (§5.5.1). */
function readClaim(member: unknown): RequestedClaim | RedirectableError {
  if (member === null) return null;
  if (!isObject(member)) return malformed('null or an object for each claim');
  const { essential, value, values } = member;
  if (essential !== undefined && typeof essential !== 'boolean')
    return malformed('essential as true or false');
  if (value !== undefined && !isValue(value)) return malformed('value as a text, a number, true or false');
  if (values !== undefined && !areValues(values)) {
    return malformed(`values as an array of 1 to ${maxMembers} texts, numbers, true or false`);
  }
  return {
    ...(essential !== undefined && { essential }),
    ...(value !== undefined && { value }),
    ...(values !== undefined && { values }),
  };
}

function areValues(values: unknown): values is readonly RequestedValue[] {
  return Array.isArray(values) && values.length > 0 && values.length <= maxMembers && values.every(isValue);
}

function isValue(value: unknown): value is RequestedValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** @param text that is not JSON */
function malformed(expected: string, text?: string): RedirectableError {
  return new RedirectableError('invalid_request', because('claims_parameter', { expected, text }));
}
