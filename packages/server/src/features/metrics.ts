import { createHash, timingSafeEqual } from 'node:crypto';
import { driftReader } from '@watchword/administration';
import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { Ports } from '../http/connections/ports.ts';
import { connectionRejection } from '../http/connections/rejected-connection.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { endpointAnswers } from '../http/exchange.ts';
import { accessLog } from '../runtime/log/access-log.ts';
import { ActiveTokenCount } from '../runtime/metrics/active-token-count.ts';
import {
  type ExpositionFormat,
  expose,
  expositionTypes,
  metricsQuestion,
  sharedMetricsQuestion,
} from '../runtime/metrics/exposition.ts';
import { expiringSecrets } from '../runtime/nodes/expiring-secrets.ts';
import { backgroundWorkReader } from '../runtime/work/background-work.ts';
import { purgeLagSeconds, retentionOf } from '../runtime/work/purging.ts';
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
  metrics.observeConfigurations(driftReader(store));
  metrics.observeExpiringSecrets(() => expiringSecrets(store.registry, clock.now()));
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
  const { trustedProxies, 'metrics.host': host } = configuration;
  const { 'http.requestTimeout': requestTimeout, 'http.ownReader': ownReader } = configuration;
  const logRequest = accessLog(logger, sink, configuration['log.probes']);
  const ports = new Ports(
    { requestTimeout, ownReader, reject: connectionRejection(metrics, logger) },
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

/**
 * `GET /metrics`: OpenMetrics for a scraper that asks for it, otherwise the text format of Prometheus.
 *
 * @param expose reads the metrics
 * @param token that a request must have; `undefined` for none
 */
function metricsRoute(
  expose: (format: ExpositionFormat) => Promise<string>,
  token: string | undefined,
): Endpoint {
  const digest = token === undefined ? undefined : digestOf(token);
  return {
    path: '/metrics',
    isProbe: true,
    anyHost: true,
    methods: {
      GET: async ({ headers }) => {
        if (digest !== undefined) requireToken(headers.authorization, digest);
        const format = formatFor(headers.accept);
        return {
          headers: { 'content-type': expositionTypes[format], vary: 'Accept' },
          body: await expose(format),
        };
      },
    },
  };
}

/** OpenMetrics, if the scraper accepts it and does not prefer the other format (RFC 9110 §12.5.1). */
function formatFor(accept = ''): ExpositionFormat {
  const weightOf = (type: string) => {
    const range = accept.split(',', maxRanges).find((each) => each.trim().startsWith(type));
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1);
  };
  const openMetrics = weightOf('application/openmetrics-text');
  return openMetrics > 0 && openMetrics >= weightOf('text/plain') ? 'openMetrics' : 'prometheus';
}

const maxRanges = 20;

/** Compares digests, which have one length, so that the time depends on no character of the token. @throws OAuthError */
function requireToken(authorization: string | undefined, digest: Buffer): void {
  const given = /^bearer +(?<token>\S+) *$/i.exec(authorization ?? '')?.groups?.token;
  if (given === undefined) throw new OAuthError('missing_token', { description: advice });
  if (!timingSafeEqual(digestOf(given), digest))
    throw new OAuthError('invalid_token', { description: advice });
}

const advice = 'Expected the token of the metrics in the Authorization header, after Bearer.';

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
