import type { OptionReader } from '@watchword/protocol';

/** The sources of the fields of a principal: names of claims, or paths into them such as `realm_access.roles`. */
export interface PrincipalOptions {
  /** The first one with a value is used. */
  readonly name: readonly string[];
  readonly displayName: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** The groups that are kept, others are left out: a name, or the beginning of names with `*` at its end. Empty: all. */
  readonly keepGroups: readonly string[];
  /** Claim by the name of the attribute of the principal. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its members are administrators. */
  readonly adminGroup: string | undefined;
  /** A user must be in one of them, if there are any. */
  readonly requiredGroups: readonly string[];
  /** Domains of e-mail addresses for which the word of the provider is taken; `*`: all. */
  readonly emailDomains: readonly string[];
}

/** Only `sub` is never given to another user (OpenID Connect Core §5.7). */
export const defaultName = ['sub'];
const defaultDisplayName = ['name', 'preferred_username', 'email'];
const ownAttributes = ['DISPLAY_NAME', 'IDENTITY_PROVIDER'];

export function readPrincipalOptions(
  options: OptionReader,
  defaults: { readonly emailDomains: readonly string[] },
): PrincipalOptions {
  const principal = options.object('principal');
  const read = {
    name: principal?.texts('name', defaultName) ?? defaultName,
    displayName: principal?.texts('displayName', defaultDisplayName) ?? defaultDisplayName,
    roles: principal?.texts('roles') ?? [],
    groups: principal?.texts('groups', ['groups']) ?? ['groups'],
    keepGroups: principal?.texts('keepGroups') ?? [],
    attributes: principal?.textsByName('attributes') ?? {},
  };
  principal?.rejectUnknown();
  for (const name of ownAttributes) {
    if (Object.hasOwn(read.attributes, name))
      principal?.problem('attributes', `${name} is set by the module and cannot be configured`);
  }
  return {
    ...read,
    adminGroup: options.text('adminGroup'),
    requiredGroups: options.texts('requiredGroups'),
    emailDomains: options.texts('emailDomains', defaults.emailDomains).map((domain) => domain.toLowerCase()),
  };
}
