import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { UserAgent } from '@watchword/testkit/user-agent';

/** Addresses whose GET only reads: HEAD answers with their headers. */
const readOnly =
  /^\/$|^\/(?:(?:admin|console|client|account)\/|admin|console|client|healthz|readyz|metrics|oauth2\/(?:jwks|revocations|userinfo)|v1\/tokeninfo|\.well-known\/(?:change-password|oauth-authorization-server|openid-configuration|passkey-endpoints|webauthn))$|^\/(?:admin|assets|client)\//;

describe('a HEAD request', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());

  it('is answered where GET only reads, and at no other endpoint', async () => {
    const withGet = server.service.endpoints.filter(({ methods }) => methods.GET !== undefined);
    assert.ok(withGet.length > 30);
    for (const { path } of withGet) {
      const methods = await allowedMethods(server, path.replaceAll(/:\w+/g, '1'));
      assert.equal(methods.includes('HEAD'), readOnly.test(path), `${path}: ${methods}`);
    }
  });

  it('issues no code for a user who is logged in, starts no login and sets no cookie', async () => {
    const agent = new UserAgent();
    await app.authorize({}, {}, agent);
    assert.equal((await app.open({}, agent)).status, 303);
    const cookie = agent.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const before = await rows(server);
    const query = new URL(app.authorizeUrl()).search;
    for (const headers of [{ cookie }, {}] as Record<string, string>[]) {
      for (const [path, allow] of [
        [`/authorize${query}`, 'GET, POST'],
        [`/oauth2/authorize${query}`, 'GET, POST'],
        ['/account', 'GET, POST'],
        ['/logout', 'GET, POST'],
      ] as const) {
        const answer = await fetch(`${server.baseUrl}${path}`, {
          method: 'HEAD',
          headers,
          redirect: 'manual',
        });
        assert.equal(answer.status, 405, path);
        assert.equal(answer.headers.get('allow'), allow);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    }
    assert.deepEqual(await rows(server), before);
  });
});

async function allowedMethods({ baseUrl }: TestServer, path: string): Promise<string[]> {
  const { status, headers } = await fetch(`${baseUrl}${path}`, { method: 'PROPFIND' });
  assert.equal(status, 405, path);
  return headers.get('allow')?.split(', ') ?? [];
}

function rows({ database }: TestServer): Promise<unknown> {
  return sql(
    database,
    'select (select count(*) from authorization_grant) as grants, (select count(*) from login_session) as sessions',
  );
}
