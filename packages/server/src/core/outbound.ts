import { createOutboundFetch, OutboundError, type OutboundFetch } from '@watchword/outbound';
import type { Configuration } from '../config/settings.ts';

/**
 * Sends requests to URLs that record owners registered. Registration permits http only on loopback hosts, and no request goes
 * to those unless the configuration names them.
 */
export function outboundFetchOf(configuration: Pick<Configuration, 'outbound.privateHosts'>): OutboundFetch {
  const outboundFetch = createOutboundFetch({
    allowHttp: true,
    allowPrivateAddresses: configuration['outbound.privateHosts'],
  });
  return async (url, request) => {
    try {
      return await outboundFetch(url, request);
    } catch (error) {
      throw error instanceof OutboundError ? forRecordOwner(error, url) : error;
    }
  };
}

/** A record owner does not learn which names and addresses the network of the server has. */
function forRecordOwner(error: OutboundError, url: string | URL): OutboundError {
  if (error.kind !== 'private-address' && error.kind !== 'unresolved-host') return error;
  const { hostname } = new URL(url);
  return new OutboundError(
    error.kind,
    `the host ${hostname} has no address on the public internet; an operator can permit private ones by the setting outbound.privateHosts`,
  );
}
