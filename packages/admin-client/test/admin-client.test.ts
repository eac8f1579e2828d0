import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdminClient,
  AdminError,
  clientCredentials,
  createAdminClient,
  readAll,
  resourceServerDefaults,
} from '@watchword/admin-client';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';

const contact = { contactName: 'Ann', contactEmail: 'ann@example.com' };

describe('the administration client', () => {
  let server: TestServer;
  let admin: AdminClient;
  let credentials: string;
  let requests: { readonly url: string; readonly init: RequestInit }[];
  before(async () => {
    server = await startServer();
    ({ credentials } = await registerClient(
      server,
      { clientName: 'Deployer', scopes: ['read', 'write'], allowedClientCredentials: true },
      'authorization-server-admin',
    ));
    const token = await issue();
    requests = [];
    admin = createAdminClient({
      baseUrl: server.baseUrl,
      token: () => token,
      fetch: (url, init = {}) => {
        requests.push({ url: String(url), init });
        return fetch(url, init);
      },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  async function issue(): Promise<string> {
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    return answer.json.access_token;
  }

  const refused = async (work: Promise<unknown>): Promise<AdminError> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof AdminError, String(error));
      return error;
    }
    return assert.fail('it was not refused');
  };

  it('gets tokens of its client by itself: one for requests at the same time, and another one when it is refused', async () => {
    const [clientId = '', clientSecret = ''] = credentials.split(':');
    const asked: string[] = [];
    const counting: typeof fetch = (url, init) => {
      asked.push(new URL(String(url)).pathname);
      return fetch(url, init);
    };
    const client = { baseUrl: server.baseUrl, clientId, clientSecret, fetch: counting };
    const tokens = clientCredentials(client);
    const own = createAdminClient({ baseUrl: server.baseUrl, ...tokens });
    await Promise.all([own.principal(), own.principal()]);
    await own.principal();
    assert.deepEqual(asked, ['/oauth2/token']);
    const before = await tokens.token();
    await server.post('/oauth2/revoke', { token: before }, credentials);
    await Promise.all([own.principal(), own.principal()]);
    assert.deepEqual(asked, ['/oauth2/token', '/oauth2/token']);
    assert.notEqual(await tokens.token(), before);
    await tokens.revoke();
    assert.equal(asked.at(-1), '/oauth2/revoke');
    const wrong = clientCredentials({ ...client, clientSecret: 'wrong' });
    const { status, code, message } = await refused(Promise.resolve(wrong.token()));
    assert.deepEqual([status, code], [401, 'invalid_client']);
    assert.match(message, /did not issue an access token/);
  });

  it('creates, reads, changes, replaces, rotates and deletes resource servers', async () => {
    const { secret, ...created } = await admin.resourceServers.create({
      ...contact,
      name: 'One',
      scopes: ['a', 'b'],
    });
    assert.match(secret ?? '', /^wws_/);
    const { record, version } = await admin.resourceServers.get(created.id);
    assert.deepEqual(record, created);
    const changed = await admin.resourceServers.update(created.id, { description: 'x' }, { version });
    assert.deepEqual(changed.record, { ...created, description: 'x' });
    const stale = await refused(admin.resourceServers.update(created.id, { description: 'y' }, { version }));
    assert.deepEqual([stale.status, stale.code], [412, 'precondition_failed']);
    const fields = { ...resourceServerDefaults, ...contact, name: 'One', scopes: ['a'] };
    assert.deepEqual((await admin.resourceServers.replace(created.id, fields)).record.scopes, ['a']);
    assert.notEqual((await admin.resourceServers.rotateSecret(created.id, { overlap: 1 })).secret, secret);
    await admin.resourceServers.delete(created.id);
    assert.equal((await refused(admin.resourceServers.get(created.id))).code, 'not_found');
  });

  it('creates, reads, changes, rotates and deletes clients and their tokens', async () => {
    const { id: resourceServerId } = await admin.resourceServers.create({
      ...contact,
      name: 'Two',
      scopes: ['a'],
    });
    const { secret, ...created } = await admin.clients.create(resourceServerId, {
      ...contact,
      clientName: 'Job',
      scopes: ['a'],
      allowedClientCredentials: true,
      attributes: { x: '1', y: '2' },
    });
    const address = { resourceServerId, id: created.id };
    assert.deepEqual((await admin.clients.get(address)).record, created);
    assert.deepEqual((await admin.clients.list(resourceServerId, { q: 'JOB' })).items, [created]);
    assert.deepEqual((await admin.clients.listAll({ q: created.clientId, limit: 1 })).items, [created]);
    assert.equal((await admin.clients.statistics(address, 1)).tokens, 0);
    const { record } = await admin.clients.update(address, { attributes: { x: null, y: '3' } });
    assert.deepEqual(record.attributes, { y: '3' });
    assert.equal((await refused(admin.clients.confirm(address))).code, 'access_denied');
    const { token, ...issued } = await admin.accessTokens.create({ clientId: created.clientId });
    assert.match(token, /^wwa_/);
    assert.deepEqual((await admin.accessTokens.get(issued.id)).record, issued);
    assert.deepEqual((await admin.accessTokens.lookUp(token)).record, issued);
    assert.equal((await refused(admin.accessTokens.lookUp('wwa_x'))).code, 'not_found');
    const expires = Date.now() + 60_000;
    assert.equal((await admin.accessTokens.update(issued.id, { expires })).record.expires, expires);
    const listed = await admin.accessTokens.list({ clientId: created.clientId, expired: false });
    assert.deepEqual(
      listed.items.map(({ id }) => id),
      [issued.id],
    );
    await admin.accessTokens.revoke(issued.id);
    await admin.clients.revokeTokens(address);
    assert.notEqual((await admin.clients.rotateSecret(address)).secret, secret);
    await admin.clients.delete(address);
    assert.deepEqual((await admin.clients.list(resourceServerId)).items, []);
  });

  it('lists, reads and ends grants', async () => {
    const registration = {
      clientName: 'Granted',
      scopes: ['read'],
      redirectUris: ['https://granted.example/cb'],
    };
    const { client } = await registerClient(server, registration, 'authorization-server-admin');
    const { clientId } = client;
    assert.deepEqual((await admin.grants.list({ clientId })).items, []);
    const unknown = '00000000-0000-7000-8000-000000000000';
    assert.equal((await refused(admin.grants.get(unknown))).code, 'not_found');
    assert.equal((await refused(admin.grants.end(unknown))).code, 'not_found');
    assert.deepEqual(await admin.grants.endAll({ clientId }), { grants: 0, consents: 0 });
    assert.equal((await refused(admin.grants.endAll({}))).code, 'invalid_request');
  });

  it('reads statistics, the audit log and the caller', async () => {
    assert.equal((await admin.principal()).name, 'deployer');
    const { clients, issued, countLimit } = await admin.statistics({ hours: 1 });
    assert.ok(Array.isArray(clients) && Array.isArray(issued) && countLimit > 0);
    const { items } = await admin.auditEvents.list({ recordType: 'client', limit: 1 });
    assert.equal(items.length, 1);
    assert.equal(items[0]?.actor, 'deployer');
    const ended = await refused(
      admin.resourceOwners.revoke({ resourceOwnerId: 'emma', resourceOwnerAuthority: 'form' }),
    );
    assert.equal(ended.status, 404);
  });

  it('reads lists page by page, to their end or to a limit', async () => {
    for (let count = 0; count < 5; count += 1) {
      await admin.resourceServers.create({ ...contact, name: `Page ${count}` });
    }
    const list = (page: object) => admin.resourceServers.list({ ...page, q: 'page', limit: 2 });
    const first = await list({});
    assert.equal(first.items.length, 2);
    const second = await list({ cursor: first.next });
    assert.notEqual(second.items[0]?.id, first.items[0]?.id);
    assert.equal((await readAll(list)).items.length, 5);
    const bounded = await readAll((page) => admin.resourceServers.list({ ...page, q: 'page' }), 3);
    assert.deepEqual([bounded.items.length, bounded.isComplete], [3, false]);
  });

  it('rejects an answer that is not a list, and a list without an end', async () => {
    const next = { link: '</x?cursor=1>; rel="next"' };
    for (const answer of [
      () => Response.json({}),
      () => Response.json([null]),
      () => Response.json(Array(1001).fill({})),
      () => Response.json([], { headers: next }),
    ]) {
      const odd = createAdminClient({
        baseUrl: server.baseUrl,
        token: () => 'x',
        fetch: async () => answer(),
      });
      const error = await refused(readAll((page) => odd.resourceServers.list(page)));
      assert.equal(error.code, 'unexpected_answer');
    }
  });

  it('reports every violation and the error code of the server', async () => {
    const error = await refused(admin.resourceServers.create({ name: '', contactEmail: 'x' }));
    assert.deepEqual([error.status, error.code], [400, 'invalid_request']);
    assert.ok(error.violations.some((violation) => violation.startsWith('name: ')));
    assert.ok(error.violations.includes('contactEmail: is not an e-mail address'));
  });

  it('sends the token only in the header, and follows no redirect with it', async () => {
    requests.length = 0;
    await admin.resourceServers.list({ q: 'x' });
    const [{ url, init } = assert.fail()] = requests;
    assert.match(String(new Headers(init.headers).get('authorization')), /^Bearer wwa_/);
    assert.doesNotMatch(url, /wwa_/);
    assert.deepEqual([init.redirect, init.credentials, init.cache], ['error', 'omit', 'no-store']);
  });

  it('asks once for another token after a 401, and sends the request again', async () => {
    const fresh = await issue();
    const refusedTokens: string[] = [];
    const renewing = createAdminClient({
      baseUrl: server.baseUrl,
      token: () => 'wwa_revoked',
      renew: async (token) => {
        refusedTokens.push(token);
        return fresh;
      },
    });
    const created = await renewing.resourceServers.create({ ...contact, name: 'Renewed' });
    assert.equal(created.name, 'Renewed');
    assert.deepEqual(refusedTokens, ['wwa_revoked']);
    const stubborn = createAdminClient({ baseUrl: server.baseUrl, token: () => 'a', renew: async () => 'b' });
    const error = await refused(stubborn.principal());
    assert.deepEqual([error.status, error.code], [401, 'invalid_token']);
  });

  it('asks once for a newer login where the server demands one, and not for another token', async () => {
    const sent: string[] = [];
    const demanding: typeof fetch = async (_, init) => {
      const authorization = String(new Headers(init?.headers).get('authorization'));
      sent.push(authorization);
      if (authorization === 'Bearer new') return Response.json([]);
      const error = 'insufficient_user_authentication';
      return Response.json(
        { error, error_description: 'Log in again.' },
        { status: 401, headers: { 'www-authenticate': `Bearer error="${error}", max_age="900"` } },
      );
    };
    const ages: number[] = [];
    const options = { baseUrl: server.baseUrl, token: () => 'old', fetch: demanding };
    const renew = async () => assert.fail('a refresh is no login');
    const logInAgain = async (maxAge: number) => {
      ages.push(maxAge);
      return 'new';
    };
    const asking = createAdminClient({ ...options, renew, logInAgain });
    assert.deepEqual((await asking.resourceServers.list()).items, []);
    assert.deepEqual([sent, ages], [['Bearer old', 'Bearer new'], [900]]);
    const error = await refused(createAdminClient({ ...options, renew }).resourceServers.list());
    assert.deepEqual([error.status, error.code], [401, 'insufficient_user_authentication']);
    const stubborn = createAdminClient({ ...options, logInAgain: async () => 'old' });
    assert.equal((await refused(stubborn.resourceServers.list())).code, 'insufficient_user_authentication');
  });

  it('reports a missing or malformed answer, without the token', async () => {
    const nowhere = createAdminClient({ baseUrl: 'http://127.0.0.1:1/auth', token: () => 'wwa_secret' });
    const unreachable = await refused(nowhere.principal());
    assert.deepEqual([unreachable.status, unreachable.code], [0, 'unreachable']);
    assert.doesNotMatch(`${unreachable.message}${unreachable.stack}`, /wwa_secret/);
    for (const [status, body] of [
      [200, '<html>'],
      [200, 'null'],
      [502, '<html>'],
    ] as const) {
      const odd = createAdminClient({
        baseUrl: server.baseUrl,
        token: () => 'wwa_secret',
        fetch: async () => new Response(body, { status }),
      });
      assert.equal((await refused(odd.principal())).code, 'unexpected_answer');
    }
  });

  it('returns the seconds of Retry-After, from a number and from a date', async () => {
    const after = async (retryAfter: string) => {
      const busy = createAdminClient({
        baseUrl: server.baseUrl,
        token: () => 'x',
        fetch: async () => new Response('{}', { status: 503, headers: { 'retry-after': retryAfter } }),
      });
      return (await refused(busy.principal())).retryAfter;
    };
    assert.equal(await after('7'), 7);
    const inAnHour = (await after(new Date(Date.now() + 3_600_000).toUTCString())) ?? 0;
    assert.ok(inAnHour > 3500 && inAnHour <= 3600, String(inAnHour));
    assert.equal(await after('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
    assert.equal(await after('soon'), undefined);
    assert.equal(await after(''), undefined);
  });

  it('rejects with the reason of an aborted signal', async () => {
    const reason = new Error('enough');
    await assert.rejects(admin.principal({ signal: AbortSignal.abort(reason) }), reason);
  });

  it('keeps the path of the base URL, and lets no parameter leave it', async () => {
    const seen: string[] = [];
    const prefixed = createAdminClient({
      baseUrl: 'https://id.example/auth/',
      token: () => 'x',
      fetch: async (url) => {
        seen.push(String(url));
        return Response.json([]);
      },
    });
    await prefixed.accessTokens.list({ clientId: 'a&limit=1' });
    assert.deepEqual(seen, ['https://id.example/auth/admin/accessToken?clientId=a%26limit%3D1']);
    await assert.rejects(prefixed.accessTokens.get('..'));
    await prefixed.accessTokens.get('../resourceServer');
    assert.equal(seen[1], 'https://id.example/auth/admin/accessToken/..%2FresourceServer');
  });

  it('rejects a token of another resource server with invalid_token', async () => {
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    const foreign = createAdminClient({ baseUrl: server.baseUrl, token: () => answer.json.access_token });
    assert.equal((await refused(foreign.principal())).code, 'invalid_token');
  });
});
