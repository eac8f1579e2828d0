import { OAuthError } from '@watchword/protocol';
import type { Core } from '../core.ts';
import { healthRoutes } from '../http/health.ts';
import type { Feature } from './feature.ts';

/** Liveness, readiness and metrics. */
export function health({ inFlight, metrics, store }: Pick<Core, 'inFlight' | 'metrics' | 'store'>): Feature {
  const ready = async () => {
    if (inFlight.isClosing) {
      throw new OAuthError('temporarily_unavailable', { description: 'The server shuts down.' });
    }
    await store.check();
  };
  return { endpoints: healthRoutes({ metrics, ready }) };
}
