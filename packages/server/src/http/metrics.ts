import { createHash, timingSafeEqual } from 'node:crypto';
import { OAuthError } from '@watchword/protocol';
import { type ExpositionFormat, expositionTypes } from '../runtime/exposition.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * `GET /metrics`: OpenMetrics for a scraper that asks for it, otherwise the text format of Prometheus.
 *
 * @param expose reads the metrics
 * @param token that a request must have; `undefined` for none
 */
export function metricsRoute(
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
