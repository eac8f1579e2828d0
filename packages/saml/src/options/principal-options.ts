import type { OptionReader } from '@watchword/protocol';

/** The sources of the fields of a principal: names of attributes of the assertion. */
export interface PrincipalOptions {
  /** `NameID`, or attributes; the first one with a value is used. */
  readonly name: readonly string[];
  /** Likewise, for the identifier that never changes. `undefined`: a persistent `NameID`, else the name. */
  readonly stableId: readonly string[] | undefined;
  readonly displayName: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  /** Attribute of the assertion by the name of the attribute of the principal. */
  readonly attributes: Readonly<Record<string, string>>;
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

const ownAttributes = ['DISPLAY_NAME', 'IDENTITY_PROVIDER'];

/** @param isOneProvider the configuration permits exactly one identity provider, which is not a proxy */
export function readPrincipalOptions(options: OptionReader, isOneProvider: boolean): PrincipalOptions {
  const principal = options.object('principal');
  const read = {
    name: principal?.texts('name', defaults.name) ?? defaults.name,
    stableId: principal?.has('stableId') ? principal.texts('stableId') : undefined,
    displayName: principal?.texts('displayName', defaults.displayName) ?? defaults.displayName,
    roles: principal?.texts('roles') ?? [],
    groups: principal?.texts('groups', defaults.groups) ?? defaults.groups,
    attributes: principal?.textsByName('attributes') ?? {},
    checkScopes: principal?.truth('checkScopes', true) ?? true,
  };
  principal?.rejectUnknown();
  for (const name of ownAttributes) {
    if (Object.hasOwn(read.attributes, name))
      principal?.problem('attributes', `${name} is set by the module and cannot be configured`);
  }
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
