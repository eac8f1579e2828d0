import { type Principal, providedNameProblem } from '@watchword/protocol';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { PrincipalOptions } from '../options/principal-options.ts';
import type { Assertion } from '../response/assertion.ts';
import { SamlError } from '../saml-error.ts';
import type { Attributes } from './scopes.ts';

/** A user with the identity provider of the name. */
export interface MappedPerson {
  readonly principal: Principal;
  /** Entity id of the identity provider; `proxy!provider` for an identity provider behind a proxy. */
  readonly identityProvider: string;
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/**
 * Maps an assertion to a principal.
 *
 * @param attributes the attributes of the assertion that the identity provider can assert
 * @throws SamlError `name`, `issuer`
 */
export function mapPrincipal(
  assertion: Assertion,
  attributes: Attributes,
  provider: IdentityProvider,
  options: PrincipalOptions,
): MappedPerson {
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => attributes.get(name) ?? []);
  const groups = unique(valuesOf(options.groups));
  const asserting = assertingProvider(assertion, provider);
  const displayName = firstOf(options.displayName, attributes);
  const identityProvider = provider.isProxy ? `${provider.entityId}!${asserting}` : provider.entityId;
  return {
    identityProvider,
    principal: {
      name: nameOf(assertion, attributes, options),
      roles: unique(valuesOf(options.roles)),
      groups,
      adminPrincipal:
        canAssertAdministrators([provider.entityId, identityProvider], options) &&
        isAdministrator(groups, options),
      attributes: {
        ...ownAttributes(attributes, options),
        ...(displayName !== undefined && { DISPLAY_NAME: displayName }),
        IDENTITY_PROVIDER: asserting,
      },
    },
  };
}

/** Adds the groups of the group provider. The operator chose it, so its groups can make an administrator too. */
export function withGroups(
  { principal, identityProvider }: MappedPerson,
  more: readonly string[],
  options: PrincipalOptions,
): MappedPerson {
  return {
    identityProvider,
    principal: {
      ...principal,
      groups: unique([...principal.groups, ...more]),
      adminPrincipal: principal.adminPrincipal || isAdministrator(more, options),
    },
  };
}

/** @throws SamlError `membership` */
export function requireMembership({ principal }: MappedPerson, { requiredGroups }: PrincipalOptions): void {
  if (requiredGroups.length === 0) return;
  if (requiredGroups.some((group) => principal.groups.includes(group))) return;
  throw new SamlError('membership', `expected one of the groups ${requiredGroups.join(', ')}`);
}

function nameOf({ nameId }: Assertion, attributes: Attributes, { name }: PrincipalOptions): string {
  for (const source of name) {
    const values = source === 'NameID' ? [nameId?.value ?? ''] : (attributes.get(source) ?? []);
    const [value = ''] = values;
    if (value === '') continue;
    // A transient NameID differs at every login, so every login would make another user.
    if (source === 'NameID' && nameId?.format === transient) {
      throw new SamlError('name', 'the NameID is transient; expected a persistent one, see nameIdFormat');
    }
    const problem = providedNameProblem(values);
    if (problem !== undefined) throw new SamlError('name', `${source} ${problem}`);
    return value;
  }
  throw new SamlError(
    'name',
    `expected a value of ${name.join(' or ')}; the assertion has the attributes ${namesIn(attributes)}`,
  );
}

/** Of a proxy: the identity provider behind it, which the name belongs to. @throws SamlError */
function assertingProvider(
  { authenticatingAuthorities }: Assertion,
  { entityId, isProxy }: IdentityProvider,
): string {
  if (!isProxy) return entityId;
  const [behind] = authenticatingAuthorities;
  if (behind !== undefined && behind !== '') return behind;
  throw new SamlError('issuer', 'expected the identity provider behind the proxy in AuthenticatingAuthority');
}

function canAssertAdministrators(
  identityProviders: readonly string[],
  { adminProviders }: PrincipalOptions,
): boolean {
  return (
    adminProviders === undefined ||
    identityProviders.some((identityProvider) => adminProviders.includes(identityProvider))
  );
}

function isAdministrator(groups: readonly string[], { adminGroup }: PrincipalOptions): boolean {
  return adminGroup !== undefined && groups.includes(adminGroup);
}

function ownAttributes(attributes: Attributes, options: PrincipalOptions): Record<string, string> {
  const entries = Object.entries(options.attributes).flatMap(([name, source]): [string, string][] => {
    const values = attributes.get(source) ?? [];
    return values.length === 0 ? [] : [[name, values.join(' ')]];
  });
  return Object.fromEntries(entries);
}

function firstOf(names: readonly string[], attributes: Attributes): string | undefined {
  return names.flatMap((name) => attributes.get(name) ?? []).find((value) => value.trim() !== '');
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}

function namesIn(attributes: Attributes): string {
  return [...attributes.keys()].slice(0, 20).join(', ').slice(0, 1000) || 'none';
}
