import type { Metrics } from '../runtime/metrics.ts';
import type { Endpoint } from './endpoint.ts';

export interface OperationDependencies {
  readonly metrics: Metrics;
  /** Rejects with the reason when requests could not be answered now. */
  ready(): Promise<void>;
}

/** `/healthz`: the process lives. `/readyz`: it can answer. `/metrics`: Prometheus text. */
export function operationRoutes({ metrics, ready }: OperationDependencies): Endpoint[] {
  return [
    { path: '/healthz', methods: { GET: async () => ({ status: 'ok' }) } },
    {
      path: '/readyz',
      methods: {
        GET: async () => {
          await ready();
          return { status: 'ready' };
        },
      },
    },
    {
      path: '/metrics',
      methods: {
        GET: async (_request, reply) => {
          reply.type(metrics.contentType);
          return metrics.expose();
        },
      },
    },
  ];
}
