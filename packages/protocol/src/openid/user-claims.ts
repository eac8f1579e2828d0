import type { RequestedClaims } from '../model/claims-request.ts';
import type { Grant } from '../model/grant.ts';
import type { Principal } from '../model/principal.ts';
import type { ClaimValue } from '../model/provided-claims.ts';
import type { Scopes } from '../model/scope.ts';
import { acceptedValues } from './claims-request.ts';
import { defaultClaims } from './default-claims.ts';
import { scopeOfClaim } from './scopes.ts';

/**
 * The sources of claims: by the name of a claim, the attributes of a principal, the preferred one first. `principal.name`,
 * `principal.roles` and `principal.groups` are the other fields of a principal.
 */
export type ClaimMapping = Readonly<Record<string, readonly string[]>>;

/** The default sources, with those that the operator chose in their place. */
export function claimMapping(chosen: ClaimMapping): ClaimMapping {
  return { ...defaultClaims, ...chosen };
}

/** The user, and the login by which the server knows them. */
export type KnownUser = Pick<Grant, 'owner' | 'authentication'>;

/** What a client can have of a user. */
export interface ClaimsSelection {
  /** Granted scopes of OpenID Connect. */
  readonly granted: Scopes;
  /** The scopes of OpenID Connect that the client can ask for: it gets no other claim by its name. */
  readonly available: Scopes;
  readonly requested?: RequestedClaims | undefined;
}

export type UserClaimSet = Readonly<Record<string, ClaimValue>>;

// Their value is a statement about the value of another claim, so both come from one source.
const statedOf: Readonly<Record<string, string>> = {
  email_verified: 'email',
  phone_number_verified: 'phone_number',
};
const addressPrefix = 'address.';

/** The claims of users (OpenID Connect Core §5.1), made of what authentication modules know about them. */
export class UserClaims {
  readonly #mapping: ClaimMapping;
  /** Names of all claims that a client can get. */
  readonly names: readonly string[];

  constructor(mapping: ClaimMapping) {
    this.#mapping = mapping;
    const names = Object.keys(mapping).map((name) => (name.startsWith(addressPrefix) ? 'address' : name));
    this.names = [...new Set(names)];
  }

  /** The claims for a client: those of its granted scopes, and those that it requested by name. */
  forClient(user: KnownUser, { granted, available, requested = {} }: ClaimsSelection): UserClaimSet {
    const claims: Record<string, ClaimValue> = {};
    for (const name of this.names) {
      const scope = scopeOfClaim(name);
      const isRequested = Object.hasOwn(requested, name) && available.includes(scope);
      if (!granted.includes(scope) && !isRequested) continue;
      const value = this.#valueOf(name, user);
      if (value === undefined) continue;
      const accepted = granted.includes(scope) ? undefined : acceptedValues(requested[name]);
      if (accepted === undefined || accepted.some((each) => each === value)) claims[name] = value;
    }
    return claims;
  }

  /** `roles` and `groups` for resource servers (RFC 9068 §2.2.3.1); a claim without values is absent. */
  forResourceServer(user: KnownUser): UserClaimSet {
    const claims: Record<string, ClaimValue> = {};
    for (const name of ['roles', 'groups'] as const) {
      const value = Object.hasOwn(this.#mapping, name)
        ? this.#valueOf(name, user)
        : presentable(name, user.owner.principal[name]);
      if (value !== undefined) claims[name] = value;
    }
    return claims;
  }

  /** A claim that the authentication module hands over comes before the attributes. */
  #valueOf(name: string, { owner, authentication }: KnownUser): ClaimValue | undefined {
    const { claims: provided } = authentication;
    if (provided !== undefined && Object.hasOwn(provided, statedOf[name] ?? name)) return provided[name];
    const { principal } = owner;
    return name === 'address' ? this.#address(principal) : this.#mapped(name, principal);
  }

  #address(principal: Principal): ClaimValue | undefined {
    const members = Object.keys(this.#mapping).flatMap((name): [string, string][] => {
      const value = name.startsWith(addressPrefix) ? this.#mapped(name, principal) : undefined;
      return typeof value === 'string' ? [[name.slice(addressPrefix.length), value]] : [];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }

  /** The first attribute that has a value. */
  #mapped(name: string, principal: Principal): ClaimValue | undefined {
    for (const attribute of this.#mapping[name] ?? []) {
      const value = presentable(name, fieldOf(attribute, principal));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function fieldOf(attribute: string, principal: Principal): string | readonly string[] | undefined {
  if (Object.hasOwn(principal.attributes, attribute)) return principal.attributes[attribute];
  switch (attribute) {
    case 'principal.name':
      return principal.name;
    case 'principal.roles':
      return principal.roles;
    case 'principal.groups':
      return principal.groups;
    default:
      return undefined;
  }
}

/** The value in the type of the claim (OpenID Connect Core §5.1); `undefined` if it has none. */
function presentable(name: string, value: string | readonly string[] | undefined): ClaimValue | undefined {
  if (value === undefined || value.length === 0) return undefined;
  if (typeof value !== 'string') return value;
  if (name === 'updated_at') return epochSeconds(value);
  if (!Object.hasOwn(statedOf, name)) return value;
  if (['true', '1'].includes(value)) return true;
  return ['false', '0'].includes(value) ? false : undefined;
}

/** Epoch seconds as digits, or a date and time of ISO 8601. */
function epochSeconds(value: string): number | undefined {
  const seconds = /^\d{1,12}$/.test(value) ? Number(value) : Math.floor(Date.parse(value) / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
}
