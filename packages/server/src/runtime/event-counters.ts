import { Counter, type Registry } from 'prom-client';

/** Counts attempts to deliver logout tokens. */
export function logoutTokenCounter(registry: Registry): Counter<'outcome'> {
  const counter = new Counter({
    name: 'watchword_logout_tokens_total',
    help: 'Attempts to deliver a logout token to a client, by outcome: delivered, retried, or failed for good.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  // From 0 on, so that the first attempt is an increase.
  for (const outcome of ['delivered', 'retried', 'failed']) counter.inc({ outcome }, 0);
  return counter;
}

/** Counts calls of modules that failed. */
export function moduleFailureCounter(registry: Registry): Counter<'setting' | 'failure'> {
  return new Counter({
    name: 'watchword_module_failures_total',
    help: 'Calls of an authentication or consent module that failed.',
    labelNames: ['setting', 'failure'] as const,
    registers: [registry],
  });
}
