import {
  type AuthenticatorKind,
  type AuthenticatorSettings,
  authenticatorKindNames,
  authenticatorKinds,
  authenticatorNamePattern,
  isOfAuthenticator,
  kindProblems,
  type MalformedField,
  nameProblems,
  OAuthError,
  reservedAuthenticatorNames,
  type StoredAuthenticator,
  submittedFields,
  Violations,
  wholeSettings,
} from '@watchword/protocol';
import { everyRecord } from '../lists/page.ts';
import type { AuthenticatorDependencies, SubmittedAuthenticator } from './authenticator-administration.ts';

// Their names would be those of modules or of pages.
const furtherReserved = ['form', 'noop', 'noop-admin', 'choose', 'step', 'cancel'];
const maxLabelLength = 80;

/** @returns the settings to store @throws OAuthError `invalid_request` */
export async function checkedNew(
  given: SubmittedAuthenticator,
  malformed: readonly MalformedField[],
  deps: AuthenticatorDependencies,
): Promise<AuthenticatorSettings> {
  const { name, kind } = given;
  const violations = new Violations(malformed);
  const reserved = [...reservedAuthenticatorNames, ...furtherReserved];
  if (!authenticatorNamePattern.test(name)) {
    violations.add('name', 'expected at most 40 lower-case letters, digits and hyphens', name);
  } else if (reserved.includes(name)) {
    violations.add('name', `is one of the reserved names ${reserved.join(', ')}`);
  }
  checkLabel(given.label, violations);
  if (!Object.hasOwn(authenticatorKinds, kind)) {
    violations.add('kind', `expected one of ${authenticatorKindNames.join(', ')}`, kind);
  }
  const settings = await checkedSettings(given, violations, deps);
  violations.throwIfAny();
  return settings;
}

export async function checkedChange(
  before: StoredAuthenticator,
  after: StoredAuthenticator,
  malformed: readonly MalformedField[],
  deps: AuthenticatorDependencies,
): Promise<AuthenticatorSettings> {
  const violations = new Violations(malformed);
  checkLabel(after.label, violations);
  const isSame = JSON.stringify(before.settings) === JSON.stringify(after.settings);
  const settings = isSame ? before.settings : await checkedSettings(after, violations, deps);
  violations.throwIfAny();
  return settings;
}

function checkLabel(label: string, violations: Violations): void {
  violations.addAll('label', nameProblems(label), label);
  if (label.length > maxLabelLength) violations.add('label', `is longer than ${maxLabelLength} characters`);
}

/** The rules of the kind first. What they leave is tried: it can mean a request to another server. */
async function checkedSettings(
  candidate: Pick<StoredAuthenticator, 'name' | 'kind' | 'settings'>,
  violations: Violations,
  { authenticatorModules }: AuthenticatorDependencies,
): Promise<AuthenticatorSettings> {
  const kind = kindOf(candidate.kind);
  if (kind === undefined) return candidate.settings;
  const settings = wholeSettings(kind, candidate.settings);
  const ofSettings = new Violations();
  const add = (setting: string, problem: string) => {
    violations.add(`settings.${setting}`, problem);
    ofSettings.add(setting, problem);
  };
  for (const [setting, field] of submittedFields(kind.settings)) {
    const value = settings[setting] as never;
    const context = { before: undefined, isCommaSeparator: false };
    const problems: Iterable<string> = field.check?.(value, context) ?? kindProblems(field.kind, value);
    for (const problem of problems) add(setting, problem);
  }
  for (const [setting, problem] of kind.check(settings)) add(setting, problem);
  if (!ofSettings.isEmpty) return settings;
  const checked = await authenticatorModules.check({ ...candidate, settings });
  for (const { setting, problem } of checked.problems) add(setting, problem);
  return checked.settings;
}

export function kindOf(name: string): AuthenticatorKind | undefined {
  return Object.hasOwn(authenticatorKinds, name) ? authenticatorKinds[name] : undefined;
}

/**
 * Users of an authenticator that the configuration had before its names were remembered must not be taken over.
 *
 * @throws OAuthError `conflict`
 */
export async function requireUnusedIdentity(
  name: string,
  { identityProviderUse, resourceServers }: AuthenticatorDependencies,
): Promise<void> {
  const isUsed = (identityProvider: string) => isOfAuthenticator(name, identityProvider);
  const used = await identityProviderUse.list();
  if (used.some(({ identityProvider }) => isUsed(identityProvider))) throw nameTaken(name);
  for await (const { ownerAuthority } of everyRecord((page) => resourceServers.list(page)))
    if (isUsed(ownerAuthority)) throw nameTaken(name);
}

export function nameTaken(name: string): OAuthError {
  return new OAuthError('conflict', {
    description: `An identity provider has or had the name ${name}. Its users would be taken for users of the new one. Choose another name.`,
  });
}
