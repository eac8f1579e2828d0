import { createHash, timingSafeEqual } from 'node:crypto';
import { OAuthError } from '@watchword/protocol';
import { expositionType } from '../runtime/exposition.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * `GET /metrics`: Prometheus text.
 *
 * @param expose reads the metrics
 * @param token that a request must have; `undefined` for none
 */
export function metricsRoute(expose: () => Promise<string>, token: string | undefined): Endpoint {
  const digest = token === undefined ? undefined : digestOf(token);
  return {
    path: '/metrics',
    methods: {
      GET: async ({ headers }) => {
        if (digest !== undefined) requireToken(headers.authorization, digest);
        return { headers: { 'content-type': expositionType }, body: await expose() };
      },
    },
  };
}

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
