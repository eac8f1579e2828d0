import {
  type Credential,
  type CredentialKind,
  type Interaction,
  type LoginLevel,
  type LoginSession,
  type LoginStrength,
  type NeededLevels,
  neededLevels,
  type ResourceOwner,
  reaches,
  strongest,
} from '@watchword/protocol';

/** Who must have a second factor, as the operator says. */
export interface FactorPolicy {
  readonly required: 'none' | 'administrators' | 'everyone';
  /** Their members must have one too. */
  readonly groups: readonly string[];
  /** Days within which people can put off adding one, since they were asked first. */
  readonly graceDays: number;
}

export interface PolicyDependencies {
  readonly policy: FactorPolicy;
  readonly strength: Pick<LoginStrength, 'classes'>;
}

/** What is demanded of a login. */
export interface Demand {
  /** By the operator, of the person. */
  readonly policy: LoginLevel;
  /** By the client: never less, and without days of grace. */
  readonly client: LoginLevel;
  /** By the client, where the person can. */
  readonly wished: LoginLevel;
}

/** How strong the logins of a person must be, whatever the client asks. */
export function levelOfPolicy(
  { principal }: Pick<ResourceOwner, 'principal'>,
  { required, groups }: Pick<FactorPolicy, 'required' | 'groups'>,
): LoginLevel {
  const isMeant =
    required === 'everyone' ||
    (required === 'administrators' && principal.adminPrincipal) ||
    principal.groups.some((group) => groups.includes(group));
  return isMeant ? 'mfa' : 'sfa';
}

/** The operator's demand is met at a login. A session goes on as it has begun, also through days of grace. */
export function demandOf(
  { owner, authentication }: LoginSession,
  { request, hasLoggedIn = false }: Interaction,
  { policy, strength }: PolicyDependencies,
): Demand {
  const { required: client, wished } = neededLevels(request, authentication, strength);
  return { policy: hasLoggedIn ? levelOfPolicy(owner, policy) : 'sfa', client, wished };
}

/** The login with a factor beside any first one. Recovery codes and trusted browsers stand for another factor, and are none by themselves. */
const levels: Readonly<Record<CredentialKind, LoginLevel>> = {
  passkey: 'phr',
  totp: 'mfa',
  recovery_code: 'sfa',
  trusted_browser: 'sfa',
};

/** How strong a person can make a login; `sfa` without a second factor. */
export function reachOf(own: readonly Pick<Credential, 'kind'>[]): LoginLevel {
  return strongest(own.map(({ kind }) => levels[kind]));
}

/**
 * Whether a person has to add a factor. Nobody adds one in a login who has one that was not proved in it: else whoever knows the password
 * would add theirs.
 *
 * @param level of the login, with all that was proved in it
 * @param own the credentials of the person
 */
export function lacksFactor(
  level: LoginLevel,
  own: readonly Pick<Credential, 'kind'>[],
  { policy, client }: Pick<Demand, 'policy' | 'client'>,
): boolean {
  return !reaches(level, strongest([policy, client])) && reaches(level, reachOf(own));
}

/** What the step of the second factor must reach. */
export function neededBy(deps: PolicyDependencies) {
  return (login: LoginSession, interaction: Interaction): NeededLevels => {
    const { policy, client, wished } = demandOf(login, interaction, deps);
    return { required: strongest([policy, client]), wished };
  };
}
