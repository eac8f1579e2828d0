import type { ModuleServices } from '@watchword/protocol';

/** Paths of the module's endpoints; `endpointUrl` of its services makes URLs of them. */
export const paths = {
  metadata: '/saml/metadata',
  acs: '/saml/acs',
  resume: '/saml/resume',
  discovery: '/saml/discovery',
  logout: '/saml/logout',
} as const;

/** This server, as identity providers know it. */
export interface ServiceProvider {
  readonly entityId: string;
  /** URL of the assertion consumer service, to which assertions are posted. */
  readonly acs: string;
}

/** Absolute URLs of this service provider, all below the base URL. */
export interface Addresses extends ServiceProvider {
  readonly resume: string;
  readonly discovery: string;
  readonly logout: string;
}

/** @param entityId the option `entityId`; default: the URL of the metadata */
export function addressesOf(
  { endpointUrl }: Pick<ModuleServices, 'endpointUrl'>,
  entityId: string | undefined,
): Addresses {
  return {
    entityId: entityId ?? endpointUrl(paths.metadata),
    acs: endpointUrl(paths.acs),
    resume: endpointUrl(paths.resume),
    discovery: endpointUrl(paths.discovery),
    logout: endpointUrl(paths.logout),
  };
}
