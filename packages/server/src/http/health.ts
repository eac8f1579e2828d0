import type { HttpAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';

export const livenessPath = '/healthz';

/** The answer to a liveness probe, which restarts a process that does not answer. */
export const alive: HttpAnswer = { body: { status: 'ok' } };

export interface HealthDependencies {
  /** Rejects with the reason if the server cannot answer requests now. */
  ready(): Promise<void>;
}

/** `/healthz`: the process runs. `/readyz`: the server can answer requests. */
export function healthRoutes({ ready }: HealthDependencies): Endpoint[] {
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
