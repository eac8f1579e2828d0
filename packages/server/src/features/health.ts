import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { healthRoutes } from '../http/health.ts';
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
