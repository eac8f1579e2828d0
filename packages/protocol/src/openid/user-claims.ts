import type { RequestedClaims } from '../model/claims-request.ts';
import { needsConfirmation, type OpenidScope } from '../model/openid-scope.ts';
import type { Principal } from '../model/principal.ts';
import type { ClaimValue } from '../model/provided-claims.ts';
import type { Grant } from '../model/records/grant.ts';
import type { Scopes } from '../model/scope.ts';
import { acceptedValues } from './claims-request.ts';
import { type ClaimMapping, defaultClaims } from './default-claims.ts';
import { isConfirmed, openidScopesOf, type ScopedClient, scopeOfClaim } from './scopes.ts';

/** The default sources, with those that the operator chose in their place. */
export function claimMapping(chosen: ClaimMapping): ClaimMapping {
  return { ...defaultClaims, ...chosen };
}

/** The user, and the login by which the server knows them. */
export type KnownUser = Pick<Grant, 'owner' | 'authentication'>;

/** What a client can have of a user. */
export interface ClaimsSelection {
  readonly client: ClaimingClient;
  /** Granted scopes of OpenID Connect. */
  readonly granted: Scopes;
  readonly requested?: RequestedClaims | undefined;
}

/** What decides which claims a client can have. */
type ClaimingClient = Omit<ScopedClient, 'scopes'>;

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
  forClient(user: KnownUser, { client, granted, requested = {} }: ClaimsSelection): UserClaimSet {
    const claims: Record<string, ClaimValue> = {};
    for (const name of this.names) {
      const isGranted = this.#isOf(name, granted, client);
      const isRequested = Object.hasOwn(requested, name) && this.#isOf(name, openidScopesOf(client), client);
      if (!isGranted && !isRequested) continue;
      const value = this.#valueOf(name, user);
      if (value === undefined) continue;
      const accepted = isGranted ? undefined : acceptedValues(requested[name]);
      if (accepted === undefined || accepted.some((each) => each === value)) claims[name] = value;
    }
    return claims;
  }

  /** Every claim of the user that the server knows. */
  all(user: KnownUser): UserClaimSet {
    const known = this.names.map((name) => [name, this.#valueOf(name, user)] as const);
    return Object.fromEntries(known.filter((claim): claim is [string, ClaimValue] => claim[1] !== undefined));
  }

  /**
   * The scope in whose words the resource owner consents to a claim that the client requests by its name; `undefined` if the
   * client cannot have the claim.
   */
  scopeFor(
    claim: string,
    client: ClaimingClient,
    resourceServer?: { readonly scopes: Scopes },
  ): OpenidScope | undefined {
    const available = openidScopesOf(client, resourceServer);
    if (!this.names.includes(claim) || !this.#isOf(claim, available, client)) return undefined;
    return this.#scopesOf(claim).find((scope) => available.includes(scope));
  }

  /** A claim that identifies a person outside of the client needs a confirmation, whatever scope the operator gave it. */
  #isOf(name: string, scopes: Scopes, client: ClaimingClient): boolean {
    if (!this.#scopesOf(name).some((scope) => scopes.includes(scope))) return false;
    return isConfirmed(client) || !needsConfirmation(scopeOfClaim(name) ?? 'profile');
  }

  /**
   * A claim without a scope of its own belongs to `profile`. So do the groups where an operator named their source before there
   * was a scope for them, because clients of that time ask for `profile` alone.
   */
  #scopesOf(name: string): readonly OpenidScope[] {
    const entry = Object.hasOwn(this.#mapping, name) ? this.#mapping[name] : undefined;
    if (entry !== undefined && 'scope' in entry) return [entry.scope];
    return name === 'groups' ? ['groups', 'profile'] : [scopeOfClaim(name) ?? 'profile'];
  }

  /** `roles` and `groups` for resource servers (RFC 9068 §2.2.3.1); a claim without values is absent. */
  forResourceServer(user: KnownUser): UserClaimSet {
    const claims: Record<string, ClaimValue> = {};
    for (const name of ['roles', 'groups'] as const) {
      // What a module says of the groups reaches clients, but no resource server unless the operator names a source of the claim.
      const isChosen = Object.hasOwn(this.#mapping, name) && this.#mapping[name] !== defaultClaims.groups;
      const value = isChosen ? this.#valueOf(name, user) : presentable(name, user.owner.principal[name]);
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
    const entry = this.#mapping[name] ?? [];
    for (const attribute of 'scope' in entry ? entry.from : entry) {
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
