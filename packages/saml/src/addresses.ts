import type { ModuleServices } from '@watchword/protocol';

/** Paths of the module's addresses; see `endpointUrl` of its services. */
export const paths = {
  metadata: '/saml/metadata',
  acs: '/saml/acs',
  resume: '/saml/resume',
  discovery: '/saml/discovery',
  logout: '/saml/logout',
} as const;

/** Who this server is to identity providers. */
export interface ServiceProvider {
  readonly entityId: string;
  /** The address that assertions are posted to. */
  readonly acs: string;
}

/** Absolute addresses of this service provider, which the base URL decides. */
export interface Addresses extends ServiceProvider {
  readonly resume: string;
  readonly discovery: string;
  readonly logout: string;
  /** The page of the server's on which one logs out. */
  readonly logoutPage: string;
}

/** @param entityId that of the options, if they have one */
export function addressesOf(
  { baseUrl, endpointUrl }: Pick<ModuleServices, 'baseUrl' | 'endpointUrl'>,
  entityId: string | undefined,
): Addresses {
  return {
    entityId: entityId ?? endpointUrl(paths.metadata),
    acs: endpointUrl(paths.acs),
    resume: endpointUrl(paths.resume),
    discovery: endpointUrl(paths.discovery),
    logout: endpointUrl(paths.logout),
    logoutPage: `${baseUrl}/logout`,
  };
}
