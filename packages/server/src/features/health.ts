import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { alive, livenessPath } from '../http/starting.ts';
import type { Feature } from './feature.ts';

/** Liveness and readiness. */
export function health({ inFlight, place, store }: Pick<Core, 'inFlight' | 'place' | 'store'>): Feature {
  const ready = async () => {
    if (inFlight.isClosing) {
      throw new OAuthError('temporarily_unavailable', { description: 'The server shuts down.' });
    }
    // A part of the connections is at that process.
    if (place.siblings.silent() > 0) {
      throw new OAuthError('temporarily_unavailable', { description: 'A worker does not answer.' });
    }
    await store.check();
  };
  return { endpoints: healthRoutes({ ready }), records: 'unused' };
}

interface HealthDependencies {
  /** Rejects with the reason if the server cannot answer requests now. */
  ready(): Promise<void>;
}

/** `/healthz`: the process runs. `/readyz`: the server can answer requests. */
function healthRoutes({ ready }: HealthDependencies): Endpoint[] {
  return [
    { path: livenessPath, isProbe: true, anyHost: true, methods: { GET: () => alive } },
    {
      path: '/readyz',
      isProbe: true,
      anyHost: true,
      methods: {
        GET: async () => {
          await ready();
          return { body: { status: 'ready' } };
        },
      },
    },
  ];
}
