import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { healthRoutes } from '../http/health.ts';
import type { Feature } from './feature.ts';

/** Liveness and readiness. */
export function health({ inFlight, store }: Pick<Core, 'inFlight' | 'store'>): Feature {
  const ready = async () => {
    if (inFlight.isClosing) {
      throw new OAuthError('temporarily_unavailable', { description: 'The server shuts down.' });
    }
    await store.check();
  };
  return { endpoints: healthRoutes({ ready }), records: 'unused' };
}
