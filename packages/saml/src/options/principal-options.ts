import { type OptionReader, type PrincipalSources, readPrincipalSources } from '@watchword/protocol';

/** The sources are names of attributes of the assertion; of the name, `NameID` too. */
export interface PrincipalOptions extends PrincipalSources {
  /** Like those of the name, for the identifier that never changes. `undefined`: a persistent `NameID`, else the name. */
  readonly stableId: readonly string[] | undefined;
  /** Its members are administrators. */
  readonly adminGroup: string | undefined;
  /** Identity providers that can assert an administrator, a proxy for all behind it; `undefined`: any. */
  readonly adminProviders: readonly string[] | undefined;
  /** A user must be in one of them, if there are any. */
  readonly requiredGroups: readonly string[];
  /** Whether values with a domain of another identity provider are left out. */
  readonly checkScopes: boolean;
}

const defaults = {
  name: ['urn:mace:dir:attribute-def:uid'],
  displayName: [
    'urn:mace:dir:attribute-def:displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'urn:mace:dir:attribute-def:cn',
    'urn:oid:2.5.4.3',
  ],
  groups: ['urn:mace:dir:attribute-def:isMemberOf', 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1'],
};

/** @param isOneProvider the configuration permits exactly one identity provider, which is not a proxy */
export function readPrincipalOptions(options: OptionReader, isOneProvider: boolean): PrincipalOptions {
  const read = readPrincipalSources(options, defaults, (principal) => ({
    stableId: principal?.has('stableId') ? principal.texts('stableId') : undefined,
    checkScopes: principal?.truth('checkScopes', true) ?? true,
  }));
  const adminGroup = options.text('adminGroup');
  const adminProviders = options.has('adminProviders') ? options.texts('adminProviders') : undefined;
  if (adminGroup !== undefined && adminProviders === undefined && !isOneProvider) {
    options.problem(
      'adminProviders',
      'is missing: there can be several identity providers, so list the entity ids of those that can make administrators',
    );
  }
  return { ...read, adminGroup, adminProviders, requiredGroups: options.texts('requiredGroups') };
}
