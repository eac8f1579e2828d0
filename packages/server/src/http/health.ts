import type { Metrics } from '../runtime/metrics.ts';
import type { Endpoint } from './endpoint.ts';

export interface HealthDependencies {
  readonly metrics: Metrics;
  /** Rejects with the reason when requests could not be answered now. */
  ready(): Promise<void>;
}

/** `/healthz`: the process lives. `/readyz`: it can answer. `/metrics`: Prometheus text. */
export function healthRoutes({ metrics, ready }: HealthDependencies): Endpoint[] {
  return [
    { path: '/healthz', methods: { GET: () => ({ body: { status: 'ok' } }) } },
    {
      path: '/readyz',
      methods: {
        GET: async () => {
          await ready();
          return { body: { status: 'ready' } };
        },
      },
    },
    {
      path: '/metrics',
      methods: {
        GET: async () => ({
          headers: { 'content-type': metrics.contentType },
          body: await metrics.expose(),
        }),
      },
    },
  ];
}
