import {
  type ClaimValue,
  isObject,
  type Principal,
  type ProvidedClaims,
  providedNameProblem,
} from '@watchword/protocol';
import type { PrincipalOptions } from '../options/principal-options.ts';
import { isTime } from '../provider/requests.ts';
import { UpstreamError } from '../upstream-error.ts';

export type Claims = Readonly<Record<string, unknown>>;

// They are stored with each grant of the user.
const maxGroups = 1000;

/** Maps claims to a principal. @throws UpstreamError `name`, `size`, `membership` */
export function mapPrincipal(claims: Claims, issuer: string, options: PrincipalOptions): Principal {
  const valuesOf = (sources: readonly string[]) => unique(sources.flatMap((source) => texts(claims, source)));
  const groups = valuesOf(options.groups);
  const { requiredGroups, adminGroup, keepGroups } = options;
  if (requiredGroups.length > 0 && !requiredGroups.some((group) => groups.includes(group))) {
    throw new UpstreamError('membership', `expected one of the groups ${requiredGroups.join(', ')}`);
  }
  const kept = keepGroups.length === 0 ? groups : groups.filter((group) => isKept(group, keepGroups));
  const roles = valuesOf(options.roles);
  if (kept.length + roles.length > maxGroups) {
    throw new UpstreamError(
      'size',
      `expected at most ${maxGroups} groups and roles, got ${kept.length + roles.length}: name those that matter in principal.keepGroups`,
    );
  }
  const [displayName] = valuesOf(options.displayName).filter((value) => value.trim() !== '');
  return {
    name: nameOf(claims, options),
    roles,
    groups: kept,
    adminPrincipal: adminGroup !== undefined && groups.includes(adminGroup),
    attributes: {
      ...Object.fromEntries(
        Object.entries(options.attributes).flatMap(([name, source]) => {
          const values = texts(claims, source);
          return values.length === 0 ? [] : [[name, values.join(' ')]];
        }),
      ),
      ...(displayName !== undefined && { DISPLAY_NAME: displayName }),
      IDENTITY_PROVIDER: issuer,
    },
  };
}

function isKept(group: string, keepGroups: readonly string[]): boolean {
  return keepGroups.some((kept) =>
    kept.endsWith('*') ? group.startsWith(kept.slice(0, -1)) : group === kept,
  );
}

function nameOf(claims: Claims, options: PrincipalOptions): string {
  for (const source of options.name) {
    const values = texts(claims, source);
    const [value = ''] = values;
    if (value === '') continue;
    const problem = providedNameProblem(values);
    if (problem !== undefined) throw new UpstreamError('name', `${source} ${problem}`);
    if (source === 'email' && !isVerified(claims.email_verified)) {
      throw new UpstreamError('name', 'the name is an e-mail address that the provider has not verified');
    }
    return value;
  }
  const came = Object.keys(claims).slice(0, 50).join(', ').slice(0, 1000);
  throw new UpstreamError('name', `expected a value of ${options.name.join(' or ')}; the claims are ${came}`);
}

/** The values of a claim, or of a member of one: `realm_access.roles`. A claim with that whole name comes first. */
function texts(claims: Claims, source: string): string[] {
  return textsOf(Object.hasOwn(claims, source) ? claims[source] : member(claims, source));
}

/** Values as texts; of an object none. */
export function textsOf(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    ['string', 'number', 'boolean'].includes(typeof each) ? String(each) : [],
  );
}

function member(claims: Claims, path: string): unknown {
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}

// OpenID Connect Core §5.1; `email_verified` and `updated_at` have types of their own.
const textClaims =
  `name given_name family_name middle_name nickname preferred_username profile picture website email gender
  birthdate zoneinfo locale phone_number`.split(/\s+/);
const maxClaimLength = 1024;

/**
 * The standard claims of the user for clients. The word of the provider on an e-mail address counts only for domains that the operator
 * names, because anybody who runs a provider can claim every address.
 */
export function providedClaims(
  claims: Claims,
  {
    preset,
    principal: { emailDomains },
  }: { readonly preset: string; readonly principal: Pick<PrincipalOptions, 'emailDomains'> },
): ProvidedClaims {
  const given = Object.fromEntries(
    textClaims.flatMap((name): [string, ClaimValue][] => {
      const value = claims[name];
      return isText(value) ? [[name, value]] : [];
    }),
  );
  const { email } = given;
  const { address, updated_at: updated, hd } = claims;
  // Google vouches for the domain of a customer.
  const domains = preset === 'google' && isText(hd) ? [...emailDomains, hd.toLowerCase()] : emailDomains;
  const lines = isObject(address) ? Object.entries(address).filter(([, line]) => isText(line)) : [];
  return {
    ...given,
    ...(typeof email === 'string' && {
      email_verified: isVerified(claims.email_verified) && isTrusted(email, domains),
    }),
    ...(lines.length > 0 && { address: Object.fromEntries(lines) as Record<string, string> }),
    ...(isTime(updated) && { updated_at: Math.floor(updated) }),
  };
}

function isTrusted(email: string, domains: readonly string[]): boolean {
  return domains.some((domain) => domain === '*' || email.toLowerCase().endsWith(`@${domain}`));
}

/** Apple writes it as a text. */
function isVerified(value: unknown): boolean {
  return value === true || value === 'true';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxClaimLength && value.isWellFormed();
}
