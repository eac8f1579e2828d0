import { dialectOf } from '@watchword/store-sql';
import type { Configuration } from '../config/settings.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { openTracing } from '../tracing/open.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** The traces of the process; `undefined` if the configuration names no receiver. */
export async function tracingOf(
  configuration: Configuration,
  {
    logger,
    version,
    worker,
  }: { readonly logger: Logger; readonly version: string; readonly worker: number | undefined },
): Promise<Tracing | undefined> {
  const endpoint = configuration['tracing.endpoint'];
  if (endpoint === undefined) return undefined;
  return openTracing({
    endpoint: endpoint.replace(/\/+$/, ''),
    ratio: configuration['tracing.ratio'],
    serviceName: configuration['tracing.serviceName'],
    trustedCallers: configuration['tracing.trustedCallers'],
    databaseSystem: dialectOf(configuration.database),
    version,
    worker,
    onProblem(reason) {
      if (reason === undefined) logger.info({ endpoint }, 'traces can be sent again');
      else logger.warn({ endpoint, reason }, 'traces cannot be sent to the receiver; their spans are lost');
    },
  });
}
