import { Counter, type Registry } from './prom-client.ts';

/** Counts attempts to send mails. */
export function mailCounter(registry: Registry): Counter<'outcome'> {
  const counter = new Counter({
    name: 'watchword_mails_total',
    help: 'Attempts to send a mail, by outcome: sent, retried, or failed for good.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of ['sent', 'retried', 'failed']) counter.inc({ outcome }, 0);
  return counter;
}

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

/** Counts the spans of traces. @param read the counts since the start, by outcome */
export function spanCounter(registry: Registry, read: () => Readonly<Record<string, number>>): void {
  new Counter({
    name: 'watchword_trace_spans_total',
    help: 'Spans of traces, by outcome: exported, failed to be exported, or dropped because too many waited.',
    labelNames: ['outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, spans] of Object.entries(read())) this.inc({ outcome }, spans);
    },
  });
}

/** Counts calls of modules that failed. */
export function moduleFailureCounter(registry: Registry): Counter<'setting' | 'failure'> {
  const counter = new Counter({
    name: 'watchword_module_failures_total',
    help: 'Calls of an authentication or consent module that failed.',
    labelNames: ['setting', 'failure'] as const,
    registers: [registry],
  });
  // From 0 on, so that the first one is an increase.
  for (const setting of ['authenticator', 'consent']) {
    for (const failure of ['timeout', 'shutdown', 'exception', 'invalid_answer'])
      counter.inc({ setting, failure }, 0);
  }
  return counter;
}

/** Counts ID tokens. */
export function idTokenCounter(registry: Registry): Counter<'algorithm' | 'grant_type'> {
  return new Counter({
    name: 'watchword_id_tokens_issued_total',
    help: 'ID tokens issued.',
    labelNames: ['algorithm', 'grant_type'] as const,
    registers: [registry],
  });
}
