import { subscribe } from 'node:diagnostics_channel';
import { metrics, trace } from '@opentelemetry/api';

const on = (name, listener) => subscribe(`watchword:resource-server:${name}`, listener);
const meter = metrics.getMeter('api');

const tokens = meter.createCounter('api.tokens');
for (const by of ['hit', 'lookup', 'verification']) {
  on(by, ({ outcome, reason }) => tokens.add(1, { by, outcome, reason }));
}

const lookups = meter.createHistogram('api.token.lookup', { unit: 'ms' });
on('lookup', ({ outcome, duration }) => lookups.record(duration, { outcome }));

const refusals = meter.createCounter('api.refusals');
on('refusal', ({ status, code, reason = code }) => {
  refusals.add(1, { status, reason });
  trace.getActiveSpan()?.setAttribute('api.refusal.reason', reason);
});

let confirmed;
on('list', ({ age }) => {
  confirmed = age === undefined ? undefined : performance.now() - age;
});
meter.createObservableGauge('api.revocation_list.age', { unit: 'ms' }).addCallback((result) => {
  if (confirmed !== undefined) result.observe(performance.now() - confirmed);
});
