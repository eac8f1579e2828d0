import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import {
  basic,
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { storedBytes } from '@watchword/server-testkit/servers/sql';
import { assertError } from '../support/error-answers.ts';

describe('a running server', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it('answers health and readiness, and metrics in the Prometheus format', async () => {
    await using server = await startServer();
    assert.deepEqual((await server.get('/healthz')).json, { status: 'ok' });
    await server.issueToken();
    await server.post('/oauth2/token', {}, 'unknown:wrong');
    const { text, headers } = await server.get('/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    for (const line of [
      'watchword_tokens_issued_total{grant_type="client_credentials"} 1',
      'watchword_request_errors_total{error="invalid_client"} 1',
      'watchword_http_request_duration_seconds_count{method="POST",route="/oauth2/token",status="200"} 1',
      'watchword_commit_batch_size_count 1',
      // The client, and its resource server, which decides on the format of the token.
      'watchword_configuration_cache_lookups_total{result="hit"} 2',
      // Before and after the changes of other nodes are read, and for the log line with the rejected client.
      'watchword_configuration_cache_lookups_total{result="miss"} 3',
      'watchword_log_lines_dropped_total 0',
    ]) {
      assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`);
    }
    assert.match(text, /^nodejs_eventloop_lag_seconds /m);
    assert.doesNotMatch(text, /demo-service|demo-resource-server/);
    assert.deepEqual((await server.get('/readyz')).json, { status: 'ready' });
  });

  it('counts requests to unknown addresses under one route', async () => {
    for (const path of ['/a', '/b', '/c']) await server.get(path);
    const { text } = await server.get('/metrics');
    assert.match(text, /_count\{method="any",route="none",status="404"\} 3/);
  });

  it('answers 503 with Retry-After and a request id when the store cannot write, and still reads', async (t) => {
    const token = await server.issueToken();
    const { accessTokens } = server.service.store;
    const broken = async () => {
      throw new StoreUnavailableError('SQLite: database or disk is full');
    };
    t.mock.method(accessTokens, 'insert', broken);
    t.mock.method(accessTokens, 'revoke', broken);
    const issue = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    const revoke = await server.post('/oauth2/revoke', { token }, demoClient);
    for (const answer of [issue, revoke]) {
      assertError(answer, 503, 'temporarily_unavailable');
      assert.doesNotMatch(answer.text, /SQLite|disk/);
      const requestId = answer.headers.get('x-request-id');
      assert.ok(requestId && server.log().includes(requestId));
    }
    assert.match(server.log(), /database or disk is full/);
    const info = await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    assert.equal(info.status, 200);
  });

  it('answers an unexpected error with a request id and without its cause', async (t) => {
    t.mock.method(server.service.store.accessTokens, 'insert', async () => {
      throw new TypeError('a secret of the inside');
    });
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    assertError(answer, 500, 'server_error');
    assert.doesNotMatch(answer.text, /inside|TypeError|at /);
    assert.match(server.log(), /a secret of the inside/);
  });

  it('is not ready when the database does not answer, but is alive', async (t) => {
    t.mock.method(server.service.store, 'check', async () => {
      throw new StoreUnavailableError('gone');
    });
    assertError(await server.get('/readyz'), 503, 'temporarily_unavailable');
    assert.equal((await server.get('/healthz')).status, 200);
  });

  it('writes one line for each request, and no secret, token or query into log or database', async () => {
    await using server = await startServer({ 'log.level': 'debug' });
    const { credentials, secret } = await registerClient(server, { expireDuration: 60 });
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const token: string = issued.json.access_token;
    const authorization = basic(demoResourceServer);
    await server.get(`/v1/tokeninfo?access_token=${token}`, { authorization });
    await server.get(`/v1/tokeninfo/${token}`, { authorization });
    await server.get(`/${token}?${secret}`, { authorization });
    await server.post('/oauth2/introspect', { token }, demoResourceServer);
    await server.post('/oauth2/token', { ...{ grant_type: token }, scope: secret ?? '' }, credentials);
    await server.post('/oauth2/token', `${token}=1&${token}=2`, credentials);
    const lines = server.log().trim().split('\n');
    assert.equal(lines.filter((line) => JSON.parse(line).route).length, 7);
    const database = await storedBytes(server.database);
    assert.ok(database.includes('Test Client'));
    for (const place of [server.log(), database.toString('latin1')]) {
      for (const value of [token, token.slice(4), secret, basic(credentials), 'demo-service-secret']) {
        assert.ok(value && !place.includes(value));
      }
    }
  });
});
