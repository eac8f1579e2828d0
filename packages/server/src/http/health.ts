import type { Metrics } from '../runtime/metrics.ts';
import type { Endpoint } from './endpoint.ts';

export interface HealthDependencies {
  readonly metrics: Metrics;
  /** Rejects with the reason if the server cannot answer requests now. */
  ready(): Promise<void>;
}

/** `/healthz`: the process runs. `/readyz`: the server can answer requests. `/metrics`: Prometheus text. */
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
