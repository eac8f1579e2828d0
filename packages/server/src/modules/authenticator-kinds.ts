import type {
  AuthenticatorSettings,
  ModuleDescription,
  OidcSettings,
  SamlSettings,
} from '@watchword/protocol';

/** Hosts, beside those of the public internet, to which requests of the server can go. */
interface KindPolicy {
  readonly privateHosts: readonly string[];
}

/** The module of a kind of identity provider that administrators set up. */
export interface KindModule {
  /** Loaded where an identity provider of the kind is set up. */
  readonly module: string;
  /** Only what the settings of the kind can say: no path, and no other module. */
  optionsOf(settings: AuthenticatorSettings, policy: KindPolicy): Readonly<Record<string, unknown>>;
  /** The setting from which an option was made. */
  settingOf(option: string, settings: AuthenticatorSettings): string;
  /** What the settings lack and the module has found out, or a problem. */
  completed(settings: AuthenticatorSettings, found: ModuleDescription): Completed;
}

type Completed =
  | { readonly settings: AuthenticatorSettings }
  | { readonly setting: string; readonly problem: string };

const saml: KindModule = {
  module: '@watchword/saml',

  optionsOf(settings, { privateHosts }) {
    const { metadataUrl, metadata, entityId, signingCertificates, ...rules } = settings as SamlSettings;
    const source = metadataUrl === '' ? { metadataText: metadata } : { metadata: metadataUrl };
    const { nameFrom, stableIdFrom, displayNameFrom, emailFrom, groupsFrom, rolesFrom } = rules;
    const principal = {
      ...filled({ name: nameFrom, stableId: stableIdFrom, displayName: displayNameFrom }),
      ...filled({ groups: groupsFrom, roles: rolesFrom }),
      ...(emailFrom !== '' && { attributes: { EMAIL: emailFrom } }),
    };
    return {
      identityProviders: [{ ...source, ...filled({ entityId, signingCertificates }) }],
      allowPrivateAddresses: privateHosts,
      principal,
      ...filled({ requiredGroups: rules.requiredGroups }),
      // Whose administrators they are must be known before the metadata is read.
      ...(entityId !== '' && filled({ adminGroup: rules.adminGroup })),
    };
  },

  settingOf(option, { metadataUrl }) {
    const setting = samlOptions.find(([name]) => option.startsWith(name))?.[1];
    return setting ?? (metadataUrl === '' ? 'metadata' : 'metadataUrl');
  },

  completed(settings, { identityProviders, total }) {
    const [first, ...others] = identityProviders;
    if (settings.entityId !== '' || first === undefined) return { settings };
    if (others.length === 0) return { settings: { ...settings, entityId: first.identityProvider } };
    const some = identityProviders.slice(0, 3).map(({ identityProvider }) => identityProvider);
    const problem = `is required: the metadata describes ${total} identity providers, such as ${some.join(', ')}`;
    return { setting: 'entityId', problem };
  },
};

const samlOptions: readonly (readonly [option: string, setting: string])[] = [
  ['identityProviders[0].metadataText', 'metadata'],
  ['identityProviders[0].metadata', 'metadataUrl'],
  ['identityProviders[0].entityId', 'entityId'],
  ['identityProviders[0].signingCertificates', 'signingCertificates'],
  ['principal.name', 'nameFrom'],
  ['principal.stableId', 'stableIdFrom'],
  ['principal.displayName', 'displayNameFrom'],
  ['principal.attributes', 'emailFrom'],
  ['principal.groups', 'groupsFrom'],
  ['principal.roles', 'rolesFrom'],
  ['requiredGroups', 'requiredGroups'],
  ['adminGroup', 'adminGroup'],
];

const oidc: KindModule = {
  module: '@watchword/upstream',

  optionsOf(settings, { privateHosts }) {
    const { preset, tenant, tenants, issuer, clientId, clientSecret, ...others } = settings as OidcSettings;
    const { teamId, keyId, privateKey, scopes, ...rules } = others;
    const { nameFrom, displayNameFrom, emailFrom, groupsFrom, rolesFrom, keepGroups } = rules;
    return {
      ...filled({ preset, tenant, tenants, issuer, clientId, clientSecret }),
      ...filled({ teamId, keyId, privateKey, scopes }),
      allowPrivateAddresses: privateHosts,
      principal: {
        ...filled({ name: nameFrom, displayName: displayNameFrom, groups: groupsFrom }),
        ...filled({ roles: rolesFrom, keepGroups }),
        ...(emailFrom !== '' && { attributes: { EMAIL: emailFrom } }),
      },
      ...filled({ requiredGroups: rules.requiredGroups, adminGroup: rules.adminGroup }),
      ...filled({ emailDomains: rules.emailDomains }),
    };
  },

  settingOf: (option) => oidcOptions.find(([name]) => option.startsWith(name))?.[1] ?? 'issuer',

  completed: (settings) => ({ settings }),
};

const oidcOptions: readonly (readonly [option: string, setting: string])[] = [
  ['preset', 'preset'],
  ['tenants', 'tenants'],
  ['tenant', 'tenant'],
  ['teamId', 'teamId'],
  ['keyId', 'keyId'],
  ['privateKey', 'privateKey'],
  ['clientId', 'clientId'],
  ['clientSecret', 'clientSecret'],
  ['scopes', 'scopes'],
  ['principal.name', 'nameFrom'],
  ['principal.displayName', 'displayNameFrom'],
  ['principal.attributes', 'emailFrom'],
  ['principal.groups', 'groupsFrom'],
  ['principal.roles', 'rolesFrom'],
  ['principal.keepGroups', 'keepGroups'],
  ['requiredGroups', 'requiredGroups'],
  ['adminGroup', 'adminGroup'],
  ['emailDomains', 'emailDomains'],
];

/** By the names of `authenticatorKinds`. */
export const kindModules: Readonly<Record<string, KindModule>> = { saml, oidc };

/** Those that have a value. */
function filled(values: Readonly<Record<string, string | readonly string[]>>) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0));
}
