import { subscribe } from 'node:diagnostics_channel';
import prometheus from 'prom-client';

const { Counter, Gauge, Histogram } = prometheus;
const on = (name, listener) => subscribe(`watchword:resource-server:${name}`, listener);

const tokens = new Counter({
  name: 'api_tokens_total',
  help: 'Tokens, by where they were verified and what became of them',
  labelNames: ['by', 'outcome', 'reason'],
});
for (const by of ['hit', 'lookup', 'verification']) {
  on(by, ({ outcome, reason = '' }) => tokens.inc({ by, outcome, reason }));
}

const lookups = new Histogram({
  name: 'api_token_lookup_seconds',
  help: 'Duration of questions to the authorization server',
  labelNames: ['outcome'],
});
on('lookup', ({ outcome, duration }) => lookups.observe({ outcome }, duration / 1000));

const refusals = new Counter({
  name: 'api_refusals_total',
  help: 'Requests that got no access',
  labelNames: ['status', 'reason'],
});
on('refusal', ({ status, code, reason = code }) => refusals.inc({ status, reason }));

let confirmed;
on('list', ({ age }) => {
  confirmed = age === undefined ? undefined : performance.now() - age;
});
new Gauge({
  name: 'api_revocation_list_age_seconds',
  help: 'Time since the authorization server has confirmed the list of revocations',
  collect() {
    if (confirmed !== undefined) this.set((performance.now() - confirmed) / 1000);
  },
});
