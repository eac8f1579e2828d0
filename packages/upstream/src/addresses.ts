import type { ModuleServices } from '@watchword/protocol';

/** Paths of the module's endpoints; `endpointUrl` of its services makes URLs of them. */
export const paths = {
  callback: '/callback',
  backchannelLogout: '/backchannel-logout',
  signedOut: '/signed-out',
} as const;

/** Absolute URLs of this server, as a provider knows them. */
export interface Addresses {
  /** Redirect URI of logins. */
  readonly callback: string;
  readonly backchannelLogout: string;
  /** Where the provider sends the browser after a logout there. */
  readonly signedOut: string;
}

export function addressesOf({ endpointUrl }: Pick<ModuleServices, 'endpointUrl'>): Addresses {
  return {
    callback: endpointUrl(paths.callback),
    backchannelLogout: endpointUrl(paths.backchannelLogout),
    signedOut: endpointUrl(paths.signedOut),
  };
}
