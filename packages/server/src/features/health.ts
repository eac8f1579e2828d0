import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { HttpAnswer } from '../http/answer.ts';
import { alive, livenessPath } from '../http/starting.ts';
import type { Feature } from './feature.ts';

/** `/healthz`: the process runs. `/readyz`: the server can answer requests. */
export function health({ inFlight, place, store }: Pick<Core, 'inFlight' | 'place' | 'store'>): Feature {
  const ready = async (): Promise<HttpAnswer> => {
    if (inFlight.isClosing) {
      throw new OAuthError('temporarily_unavailable', { description: 'The server shuts down.' });
    }
    // A part of the connections is at that process.
    if (place.siblings.silent() > 0) {
      throw new OAuthError('temporarily_unavailable', { description: 'A worker does not answer.' });
    }
    await store.check();
    return { body: { status: 'ready' } };
  };
  const probe = { isProbe: true, anyHost: true } as const;
  return {
    endpoints: [
      { path: livenessPath, ...probe, methods: { GET: () => alive } },
      { path: '/readyz', ...probe, methods: { GET: ready } },
    ],
    records: 'unused',
  };
}
