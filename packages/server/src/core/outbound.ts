import { createOutboundFetch, type OutboundFetch } from '@watchword/outbound';
import type { Configuration } from '../config/settings.ts';

/**
 * Sends requests to URLs that record owners registered. Registration permits http only on loopback hosts, and no request goes
 * to those unless the configuration names them.
 */
export function outboundFetchOf(configuration: Pick<Configuration, 'outbound.privateHosts'>): OutboundFetch {
  return createOutboundFetch({
    allowHttp: true,
    allowPrivateAddresses: configuration['outbound.privateHosts'],
  });
}
