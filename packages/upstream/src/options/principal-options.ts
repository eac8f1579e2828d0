import { type OptionReader, type PrincipalSources, readPrincipalSources } from '@watchword/protocol';

/** The sources are names of claims, or paths into them such as `realm_access.roles`. */
export interface PrincipalOptions extends PrincipalSources {
  /** The groups that are kept, others are left out: a name, or the beginning of names with `*` at its end. Empty: all. */
  readonly keepGroups: readonly string[];
  /** Its members are administrators. */
  readonly adminGroup: string | undefined;
  /** A user must be in one of them, if there are any. */
  readonly requiredGroups: readonly string[];
  /** Domains of e-mail addresses for which the word of the provider is taken; `*`: all. */
  readonly emailDomains: readonly string[];
}

const sources = {
  // Only `sub` is never given to another user (OpenID Connect Core §5.7).
  name: ['sub'],
  displayName: ['name', 'preferred_username', 'email'],
  groups: ['groups'],
};

export function readPrincipalOptions(
  options: OptionReader,
  defaults: { readonly emailDomains: readonly string[] },
): PrincipalOptions {
  const read = readPrincipalSources(options, sources, (principal) => ({
    keepGroups: principal?.texts('keepGroups') ?? [],
  }));
  return {
    ...read,
    adminGroup: options.text('adminGroup'),
    requiredGroups: options.texts('requiredGroups'),
    emailDomains: options.texts('emailDomains', defaults.emailDomains).map((domain) => domain.toLowerCase()),
  };
}
