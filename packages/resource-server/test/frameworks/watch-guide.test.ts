import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, it } from 'node:test';
import { metrics } from '@opentelemetry/api';
import { createGuard } from '../../src/index.ts';
import { answerWith } from '../support/authorization-server.ts';
import { examplesOf, runExample } from '../support/examples.ts';
import { jwtServer } from '../support/jwt-server.ts';
import { unsubscribeAll } from '../support/subscriptions.ts';

const guide = readFileSync(new URL('../../../../docs/guides/watch-an-api.md', import.meta.url), 'utf8');
const events = readFileSync(new URL('../../src/events.ts', import.meta.url), 'utf8');

/** The programs to which the guide has a link. */
const programs = ['prometheus', 'opentelemetry'].map((name) =>
  readFileSync(new URL(`../../../../examples/watch-an-api/${name}.js`, import.meta.url), 'utf8'),
);

const exampleWith = (text: string) =>
  [...programs, ...examplesOf(guide)].find((example) => example.includes(text)) ?? assert.fail(text);

/** Until the end of the test only. */
const runSubscriber = (text: string) => {
  const subscriptions = JSON.stringify(import.meta.resolve('../support/subscriptions.ts'));
  return runExample(exampleWith(text).replace("'node:diagnostics_channel'", subscriptions));
};

/** Two lookups, a verification, a hit and two refusals. */
async function useApi(): Promise<void> {
  await using test = await jwtServer();
  await test.verifier.verify('wwa_opaque');
  await test.ready();
  const guard = createGuard(test.verifier, { scope: 'read' });
  const token = await test.issue();
  for (const _ of [1, 2]) await guard(`Bearer ${token}`);
  await assert.rejects(guard(undefined));
  test.tokenInfo = answerWith(401, {});
  await assert.rejects(guard('Bearer wwa_other'));
}

describe('the guide to watching an API', () => {
  afterEach(unsubscribeAll);

  it('lists every channel', () => {
    const channels = [...events.matchAll(/readonly '(watchword:[\w:-]+)'/g)].map(([, name]) => name);
    const listed = [...guide.matchAll(/^\| `(watchword:[\w:-]+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(listed, channels);
  });

  it('has metrics for Prometheus', async () => {
    const { register } = createRequire(import.meta.url)('prom-client');
    await runSubscriber('prom-client');
    try {
      await useApi();
      const text: string = await register.metrics();
      for (const line of [
        'api_tokens_total{by="lookup",outcome="accepted",reason=""} ',
        'api_tokens_total{by="lookup",outcome="unavailable",reason="credentials_refused"} 1',
        'api_tokens_total{by="verification",outcome="accepted",reason=""} ',
        'api_tokens_total{by="hit",outcome="accepted",reason=""} 1',
        'api_token_lookup_seconds_count{outcome="unavailable"} 1',
        'api_refusals_total{status="401",reason="missing_token"} 1',
        'api_refusals_total{status="503",reason="credentials_refused"} 1',
        'api_revocation_list_age_seconds ',
      ]) {
        assert.ok(text.includes(`\n${line}`), `${line}\n${text}`);
      }
    } finally {
      const names = [...exampleWith('prom-client').matchAll(/name: '(\w+)'/g)].map(([, name]) => name);
      for (const name of names) register.removeSingleMetric(name);
    }
  });

  it('has metrics for OpenTelemetry', async () => {
    const seen: unknown[] = [];
    const gauges: ((result: { observe(value: number): void }) => void)[] = [];
    const record = (name: string) => (value: number, attributes: object) =>
      void seen.push([name, value, attributes]);
    const meter = {
      createCounter: (name: string) => ({ add: record(name) }),
      createHistogram: (name: string) => ({ record: record(name) }),
      createObservableGauge: () => ({
        addCallback: (callback: (typeof gauges)[number]) => gauges.push(callback),
      }),
    };
    metrics.setGlobalMeterProvider({ getMeter: () => meter } as never);
    try {
      await runSubscriber('@opentelemetry/api');
    } finally {
      metrics.disable();
    }
    await useApi();
    assert.deepEqual(seen.at(-1), ['api.refusals', 1, { status: 503, reason: 'credentials_refused' }]);
    const ages: number[] = [];
    for (const gauge of gauges) gauge({ observe: (age) => ages.push(age) });
    assert.equal(ages.length, 1);
    assert.ok((ages[0] ?? -1) >= 0);
  });

  it('ends a verifier with the block that uses it', () => {
    assert.match(exampleWith('createTokenVerifier'), /await using verifier = createTokenVerifier\(\);/);
  });
});
