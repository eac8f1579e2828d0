import type { Core } from '../core/core.ts';
import { Ports } from '../http/connections/ports.ts';
import { connectionRejection } from '../http/connections/rejected-connection.ts';
import { endpointAnswers } from '../http/exchange.ts';
import { metricsRoute } from '../http/metrics.ts';
import { accessLog } from '../runtime/access-log.ts';
import { ActiveTokenCount } from '../runtime/active-token-count.ts';
import { backgroundWorkReader } from '../runtime/background-work.ts';
import { expose, metricsQuestion, sharedMetricsQuestion } from '../runtime/exposition.ts';
import { purgeLagSeconds, retentionOf } from '../runtime/purging.ts';
import type { Feature, Stop } from './feature.ts';

/** Metrics for Prometheus, at the port of the server or at a port of their own. */
export function metrics(core: Core): Feature {
  const { clock, configuration, logger, metrics, modules, store } = core;
  const { siblings } = core.place;
  const activeTokens = new ActiveTokenCount({ store, clock, logger });
  metrics.observeLogins(modules.authenticators.keys());
  metrics.observeDatabase({
    size: () => store.size(),
    free: () => store.free(),
    activeTokens: () => activeTokens.read(),
    purgeLag: () => purgeLagSeconds(store, clock, retentionOf(configuration)),
    check: () => store.check(),
  });
  metrics.observeWork(
    backgroundWorkReader({ leases: store.leases, clock, purgeInterval: configuration['purge.interval'] }),
  );
  siblings.answer(metricsQuestion, () => metrics.part());
  siblings.answer(sharedMetricsQuestion, () => metrics.shared());
  const route = metricsRoute((format) => expose(siblings, format), core.metricsToken);
  const port = configuration['metrics.port'];
  if (port === undefined) {
    return { endpoints: [route], records: 'unused', start: () => () => activeTokens.close() };
  }
  return {
    async start() {
      const stop = await openPort(core, [route], port);
      return async () => {
        await stop();
        await activeTokens.close();
      };
    },
  };
}

/** Answers only these endpoints at the port. @throws ListenError */
async function openPort(
  core: Core,
  endpoints: Parameters<typeof endpointAnswers>[0]['endpoints'],
  port: number,
): Promise<Stop> {
  const { configuration, cookies, inFlight, logger, metrics, pageAnswers: pages, sink } = core;
  const { trustedProxies, 'metrics.host': host, 'http.requestTimeout': requestTimeout } = configuration;
  const logRequest = accessLog(logger, sink, configuration['log.probes']);
  const ports = new Ports(
    { requestTimeout, reject: connectionRejection(metrics, logger) },
    endpointAnswers({
      endpoints,
      logger,
      logRequest,
      metrics,
      trustedProxies,
      inFlight,
      pages,
      cookies,
      tracing: core.tracing?.requests,
    }),
  );
  const { port: opened, isOwn } = await core.place.openPort(ports, { host, port, flags: '--metrics-' });
  if (isOwn) logger.info({ host, port: opened }, 'metrics are at a port of their own');
  return () => ports.close(0);
}
