import { type LoginLevel, loginLevels, reaches } from '../model/login-level.ts';
import type { AuthenticationEvent } from '../model/records/authentication-event.ts';

/** The authentication context class of each level (REFEDS SFA and MFA profiles; `phr` of OpenID Connect EAP ACR Values §4). */
export const levelClasses: Readonly<Record<LoginLevel, string>> = {
  sfa: 'https://refeds.org/profile/sfa',
  mfa: 'https://refeds.org/profile/mfa',
  phr: 'phr',
};

/** What the operator says of authentication context classes. */
export interface LoginStrength {
  /** Further classes of this server, and the level that each demands. */
  readonly classes: Readonly<Record<string, LoginLevel>>;
  /** By the name of an authenticator: the values of `acr` and `amr` at its identity providers that are worth a level here. */
  readonly providers: Readonly<Record<string, ProviderLevels>>;
}

export interface ProviderLevels {
  readonly mfa?: readonly string[] | undefined;
  readonly phr?: readonly string[] | undefined;
}

/** All classes that a login here can reach, the standard ones first. */
export function supportedClasses({ classes }: Pick<LoginStrength, 'classes'>): readonly string[] {
  return [...new Set([...Object.values(levelClasses), ...Object.keys(classes)])];
}

/** The level that a class demands; `undefined` for a class that only an identity provider can reach. */
export function levelOfClass(
  name: string,
  { classes }: Pick<LoginStrength, 'classes'>,
): LoginLevel | undefined {
  const standard = loginLevels.find((level) => levelClasses[level] === name);
  return standard ?? (Object.hasOwn(classes, name) ? classes[name] : undefined);
}

/** The level of a login at an identity provider, by the setting of the operator. */
export function levelOfProvider(
  authenticator: string,
  login: ToldLogin,
  { providers }: Pick<LoginStrength, 'providers'>,
): LoginLevel {
  return levelOfValues(login, Object.hasOwn(providers, authenticator) ? providers[authenticator] : undefined);
}

/** What an identity provider says of a login. */
type ToldLogin = Pick<AuthenticationEvent, 'acr' | 'amr'>;

/** What the provider says is worth nothing here until the operator says so: the same words mean other things elsewhere. */
export function levelOfValues({ acr, amr = [] }: ToldLogin, values: ProviderLevels | undefined): LoginLevel {
  const isWorth = (level: keyof ProviderLevels) =>
    values?.[level]?.some((value) => value === acr || amr.includes(value)) === true;
  if (isWorth('phr')) return 'phr';
  return isWorth('mfa') ? 'mfa' : 'sfa';
}

type KnownLogin = Pick<AuthenticationEvent, 'acr' | 'toldAcr' | 'level'>;

/**
 * Whether a login is of a class: by its level, or because the identity provider has named a class that has no level here. What it calls
 * itself by a class of this server does not count.
 */
export function isOfClass(
  { acr, toldAcr, level = 'sfa' }: KnownLogin,
  name: string,
  strength: Pick<LoginStrength, 'classes'>,
): boolean {
  const needed = levelOfClass(name, strength);
  return needed === undefined ? name === acr || name === toldAcr : reaches(level, needed);
}

/**
 * The class that a client learns of a login: the first one that it asked for and that the login is of; else the strongest.
 *
 * @param asked the classes that it names, best first
 */
export function answeredClass(
  event: KnownLogin,
  asked: readonly string[],
  strength: Pick<LoginStrength, 'classes'>,
): string {
  const { level = 'sfa', acr = levelClasses[level] } = event;
  return [...asked, acr].find((name) => isOfClass(event, name, strength)) ?? levelClasses[level];
}
