import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from '@watchword/server-testkit/neighbours/trace-receiver';
import { demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { writeLock } from '@watchword/server-testkit/servers/write-lock';
import { UserAgent } from '@watchword/testkit/user-agent';
import { SpanQueue } from '../../src/tracing/span-queue.ts';
import { version } from '../../src/version.ts';
import { logIn, registerLogoutClient } from '../support/logout-client.ts';

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const sampled = `00-${caller.traceId}-${caller.spanId}-01`;
const notSampled = `00-${caller.traceId}-${caller.spanId}-00`;

/** Works with a server whose requests are all traced. Resolves when the server has ended, and so has sent all spans. */
async function traced<Value>(
  receiver: TraceReceiver,
  flags: Parameters<typeof startServer>[0],
  work: (server: TestServer) => Promise<Value>,
): Promise<Value> {
  const settings = { 'tracing.endpoint': receiver.endpoint, 'tracing.ratio': '1' };
  await using server = await startServer({ ...settings, ...flags });
  return await work(server);
}

/** The spans below a span, as a tree of names. */
function treeOf(spans: readonly ReceivedSpan[], { name, spanId }: ReceivedSpan, depth = 0): string[] {
  const below = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  return [`${'  '.repeat(depth)}${name}`, ...below.flatMap((each) => treeOf(spans, each, depth + 1))];
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  assert.ok(found !== undefined, `expected ${name}, got ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

const askToken = (server: TestServer, headers: Record<string, string>) =>
  fetch(`${server.baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(demoClient).toString('base64')}`, ...headers },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });

/** The line of the log for a request that had success. */
function lineOf(server: TestServer, route: string) {
  const lines = server.log().trim().split('\n');
  return lines.map((line) => JSON.parse(line)).find((line) => line.route === route && line.status === 200);
}

describe('the traces of a code flow', () => {
  let receiver: TraceReceiver;
  let secrets: readonly string[];
  before(async () => {
    receiver = await startTraceReceiver();
    secrets = await traced(receiver, {}, async (server) => {
      const app = await registerApplication(server);
      const code = await app.obtainCode({ state: 'state-of-the-test' });
      const { access_token, refresh_token } = (await app.redeem(code)).json;
      await server.get('/unknown/path-of-the-test?query-of-the-test=1');
      const secret = app.credentials?.split(':').at(-1) ?? '';
      return [code, access_token, refresh_token, secret, 'state-of-the-test', 'path-of-the-test', 'emma'];
    });
  });
  after(() => receiver[Symbol.asyncDispose]());

  it('show its steps: rules, modules, stores and commits', () => {
    const [login, consent, token] = ['POST /login', 'POST /consent', 'POST /oauth2/token'].map((name) =>
      treeOf(receiver.spans, named(receiver.spans, name)),
    );
    assert.deepEqual(treeOf(receiver.spans, named(receiver.spans, 'GET /authorize')), [
      'GET /authorize',
      '  read authorization request',
      '  begin authorization',
      '    module form begin',
    ]);
    assert.deepEqual(
      login?.slice(0, 6).map((each) => each.replace(/ (?:sqlite|postgresql)$/, '')),
      [
        'POST /login',
        '  continue login',
        '    module form resume',
        // A person without a second factor: one lookup, together with those of other requests.
        '    credentials.listBySubject',
        '      read',
        '    loginSessions.insert',
      ],
    );
    assert.ok(consent?.includes('    issue code'), String(consent));
    assert.deepEqual(
      token?.map((each) => each.replace(/ (?:sqlite|postgresql)$/, '')),
      [
        'POST /oauth2/token',
        '  authenticate caller',
        '  check authorization_code',
        '    authorizationCodes.find',
        '      read',
        '  issue authorization_code',
        '    authorizationCodes.redeem',
        '      commit',
      ],
    );
  });

  it('have no secret, code, token, password, query or path', () => {
    for (const secret of secrets) assert.ok(secret && !receiver.text().includes(secret), secret);
    assert.doesNotMatch(receiver.text(), /query-of-the-test|redirect_uri|127\.0\.0\.1/);
  });
});

describe('the traces', () => {
  describe('of requests', () => {
    let receiver: TraceReceiver;
    let line: Record<string, unknown>;
    let open: string;
    let plain: string;
    before(async () => {
      receiver = await startTraceReceiver();
      await traced(receiver, { 'tracing.serviceName': 'login' }, async (server) => {
        await server.post('/oauth2/token', { grant_type: 'client_credentials' }, 'unknown:wrong');
        for (const path of ['/secret-path', '/healthz', '/readyz', '/metrics']) await server.get(path);
        await server.issueToken();
        const metrics = await server.get('/metrics', {
          accept: 'application/openmetrics-text; version=1.0.0',
        });
        assert.match(metrics.headers.get('content-type') ?? '', /^application\/openmetrics-text/);
        line = lineOf(server, '/oauth2/token');
        open = metrics.text;
        plain = (await server.get('/metrics')).text;
        await askToken(server, { traceparent: notSampled });
      });
    });
    after(() => receiver[Symbol.asyncDispose]());
    const requests = () => receiver.spans.filter(({ kind }) => kind === 2);

    it('name them by the semantic conventions, and the server as it is configured, and leave out probes and the reading of metrics', () => {
      const { attributes, resource, status } = named(requests(), 'POST /oauth2/token');
      const { 'watchword.request.id': id, ...rest } = attributes;
      assert.match(String(id), /^[0-9a-f]{10}-/);
      assert.deepEqual(rest, {
        'http.request.method': 'POST',
        'http.route': '/oauth2/token',
        'http.response.status_code': 401,
        'error.type': 'invalid_client',
      });
      // A refusal is no failure of the server.
      assert.equal(status, 0);
      assert.deepEqual([resource['service.name'], resource['service.version']], ['login', version]);
      assert.equal(named(requests(), 'GET').attributes['http.response.status_code'], 404);
      const token = 'POST /oauth2/token';
      assert.deepEqual(
        requests().map(({ name }) => name),
        [token, 'GET', token, token],
      );
    });

    it('have the ids that the log and the exemplars of the metrics have', () => {
      const { traceId, spanId } = requests()[2] ?? assert.fail();
      assert.deepEqual([line.trace_id, line.span_id], [traceId, spanId]);
      const exemplar = `# {trace_id="${traceId}",span_id="${spanId}"}`;
      assert.match(
        open.split('\n').find((each) => each.includes(exemplar)) ?? '',
        /^watchword_http_request_duration_seconds_bucket\{le="[^"]+",method="POST",route="\/oauth2\/token",status="200"\} 1 # /,
      );
      assert.match(open, /^# TYPE watchword_tokens_issued counter$/m);
      assert.match(open, /^watchword_tokens_issued_total\{grant_type="client_credentials"\} 1$/m);
      assert.ok(open.endsWith('\n# EOF\n'));
      assert.doesNotMatch(plain, /trace_id|# EOF/);
    });

    it('begin at the server for callers that are not trusted, who then decide nothing', async () => {
      const { traceId, parentSpanId, links } = requests()[3] ?? assert.fail();
      assert.notEqual(traceId, caller.traceId);
      assert.equal(parentSpanId, '');
      assert.deepEqual(
        links.map(({ traceId, spanId }) => ({ traceId, spanId })),
        [caller],
      );
      await using other = await startTraceReceiver();
      await traced(other, { 'tracing.ratio': '0' }, async (server) => {
        await askToken(server, { traceparent: sampled });
        assert.equal(lineOf(server, '/oauth2/token').trace_id, undefined);
      });
      assert.deepEqual(other.spans, []);
    });
  });

  it('continue those of trusted callers, who decide whether spans are sent, unless their traceparent is malformed', async () => {
    await using receiver = await startTraceReceiver();
    const trusted = { 'tracing.trustedCallers': '127.0.0.0/8', 'tracing.ratio': '0' };
    await traced(receiver, trusted, async (server) => {
      await askToken(server, { traceparent: sampled });
      await server.issueToken();
    });
    const requests = receiver.spans.filter(({ kind }) => kind === 2);
    assert.deepEqual(
      requests.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
      [[caller.traceId, caller.spanId]],
    );
    await using other = await startTraceReceiver();
    await traced(other, { ...trusted, 'tracing.ratio': '1' }, async (server) => {
      await askToken(server, { traceparent: notSampled });
      assert.equal(lineOf(server, '/oauth2/token').trace_id, caller.traceId);
      await askToken(server, { traceparent: `00-${'0'.repeat(32)}-x` });
    });
    const malformed = other.spans.filter(({ kind }) => kind === 2);
    assert.deepEqual(
      malformed.map(({ parentSpanId, links }) => [parentSpanId, links]),
      [['', []]],
    );
  });

  it('go on at the servers to which this one sends requests', async () => {
    await using receiver = await startTraceReceiver();
    const contexts: (string | undefined)[] = [];
    await using client = await startLogoutReceiver((response) => {
      contexts.push(response.req.headers.traceparent?.toString());
      response.end();
    });
    const settings = { 'signing.algorithms': 'ES256', 'outbound.privateHosts': client.host };
    await traced(receiver, settings, async (server) => {
      const app = await registerLogoutClient(server, { backchannelLogoutUri: client.url });
      const user = await logIn(server, app, new UserAgent(), {}, { username: 'emma', password: '{}' });
      await user.logout({ id_token_hint: user.idToken });
      await client.next();
    });
    const sent = receiver.spans.find(({ kind, attributes }) => kind === 3 && 'server.port' in attributes);
    assert.equal(contexts[0], `00-${sent?.traceId}-${sent?.spanId}-01`);
    assert.equal(sent?.name, 'POST');
    assert.deepEqual(sent?.attributes, {
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'server.port': Number(client.host.split(':')[1]),
      'http.response.status_code': 200,
    });
  });

  it('link the requests that shared a commit', async () => {
    await using receiver = await startTraceReceiver();
    await traced(receiver, {}, async (server) => {
      const lock = await writeLock(server.database);
      const issued = Array.from({ length: 20 }, () => server.issueToken());
      // The first commits wait for the lock. What the server gets meanwhile waits for them, and is committed together.
      for (let trip = 0; trip < 5; trip += 1) await server.get('/healthz');
      await lock[Symbol.asyncDispose]();
      await Promise.all(issued);
    });
    const inserts = receiver.spans.filter(({ name }) => name === 'accessTokens.insert');
    const commits = receiver.spans.filter(({ attributes }) => attributes['db.operation.name'] === 'commit');
    const shared = commits.filter(({ links }) => links.length > 0);
    assert.ok(shared.length > 0, 'some of them shared a commit');
    const members = commits.flatMap(({ parentSpanId, links }) => [
      parentSpanId,
      ...links.map((link) => link.spanId),
    ]);
    assert.deepEqual(members.toSorted(), inserts.map(({ spanId }) => spanId).toSorted());
    for (const { spanId, links, attributes } of shared) {
      const linked = inserts.filter((insert) => insert.links.some((link) => link.spanId === spanId));
      assert.deepEqual(
        linked.map((insert) => insert.spanId).toSorted(),
        links.map((link) => link.spanId).toSorted(),
      );
      assert.equal(attributes['db.operation.batch.size'], links.length + 1);
    }
  });
});

describe('a receiver of traces', () => {
  const spans = async (server: TestServer, outcome: string) =>
    seriesValue(parseExposition((await server.get('/metrics')).text), 'watchword_trace_spans_total', {
      outcome,
    });

  it('that does not answer delays no request and no shutdown', async () => {
    await using receiver = await startTraceReceiver(() => {});
    await traced(receiver, { 'shutdown.deadline': '1' }, async (server) => {
      for (let requests = 0; requests < 20; requests += 1) await server.issueToken();
      assert.deepEqual([await spans(server, 'dropped'), await spans(server, 'exported')], [0, 0]);
    });
  });

  it('that is slow gets 4096 spans later, and the others are dropped and counted', async () => {
    let isSlow = true;
    const waiting: (() => void)[] = [];
    const exporter: SpanExporter = {
      export: (_, done) => {
        const answer = () => done({ code: 0 });
        if (isSlow) waiting.push(answer);
        else answer();
      },
      shutdown: async () => {},
    };
    const queue = new SpanQueue(exporter, () => {});
    const span = { spanContext: () => ({ traceFlags: 1 }), resource: {} } as Parameters<
      SpanQueue['onEnd']
    >[0];
    for (let ended = 0; ended < 5000; ended += 1) queue.onEnd(span);
    isSlow = false;
    for (const answer of waiting) answer();
    await queue.shutdown();
    assert.deepEqual(queue.counts(), { exported: 4096, failed: 0, dropped: 5000 - 4096 });
  });

  it('that rejects spans is named once in the log, and what it rejected is counted', async () => {
    await using receiver = await startTraceReceiver((response) => {
      response.statusCode = 400;
      response.end('text of the receiver');
    });
    const log = await traced(receiver, {}, async (server) => {
      for (const total of [4, 8]) {
        await server.issueToken();
        await receiver.span(() => receiver.spans.length >= total);
      }
      while ((await spans(server, 'failed')) === 0) await server.issueToken();
      return server.log();
    });
    const warnings = log.split('\n').filter((line) => line.includes('traces cannot be sent'));
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', /"reason":"[^"]*(?:400|Bad Request)/);
    assert.doesNotMatch(log, /text of the receiver/);
  });
});
