import { createOutboundFetch } from '@watchword/outbound';
import type { OutboundFetch } from '@watchword/protocol';
import type { Configuration } from '../config/settings.ts';
import type { Tracing } from '../tracing/tracing.ts';

/**
 * Sends requests to URLs that record owners registered. Registration permits http only on loopback hosts, and no request goes
 * to those unless the configuration names them.
 */
export function outboundFetchOf(
  configuration: Pick<Configuration, 'outbound.privateHosts'>,
  tracing?: Tracing,
): OutboundFetch {
  const fetch = createOutboundFetch({
    allowHttp: true,
    allowPrivateAddresses: configuration['outbound.privateHosts'],
  });
  return withTraces(fetch, tracing);
}

/** The same fetch, whose requests are part of traces if there are any. */
export function withTraces(fetch: OutboundFetch, tracing: Tracing | undefined): OutboundFetch {
  return tracing === undefined ? fetch : tracing.outbound(fetch);
}
