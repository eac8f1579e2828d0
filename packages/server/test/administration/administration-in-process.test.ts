import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAdminClient } from '@watchword/admin-client';
import { commandLineCaller, inProcessFetch, type Route } from '@watchword/administration';
import { OAuthError } from '@watchword/protocol';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';

const servers = '/admin/resourceServer';

describe('a fetch within the process', () => {
  const caller = commandLineCaller('ann');
  const seen: unknown[] = [];
  const route = (given: Partial<Route>): Route => ({
    id: 'x',
    method: 'GET',
    path: '/admin/thing/{id}',
    tag: 'Things',
    summary: 'Read a thing',
    scope: 'read',
    answer: { status: 200, description: 'The thing.' },
    handle: async ({ caller: { identity }, path, query, body, condition }) => {
      const matches = [condition?.('1'), condition?.('2')];
      seen.push({ name: identity.name, path, query: [...query], body: body(), matches });
      return { status: 200, body: { id: path.id }, headers: { etag: '"2"' } };
    },
    ...given,
  });
  const known = { query: [{ name: 'q', description: '', schema: {} }] };
  const fetched = inProcessFetch([route({ method: 'PATCH', ...known }), route({})], caller);

  it('gives a route its caller, path, query, body and condition, and answers as over the network', async () => {
    const answer = await fetched('http://in.process/admin/thing/a%2Fb?q=x+y', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': '"2"', authorization: 'Bearer of somebody' },
      body: '{"name":"Å"}',
    });
    assert.deepEqual(seen.pop(), {
      name: 'ann',
      path: { id: 'a/b' },
      query: [['q', 'x y']],
      body: { name: 'Å' },
      matches: [false, true],
    });
    assert.deepEqual([answer.status, answer.headers.get('etag')], [200, '"2"']);
    assert.deepEqual(await answer.json(), { id: 'a/b' });
  });

  it('rejects with the error of the rule that a request breaks', async () => {
    const broken = new OAuthError('not_found', { description: 'There is no Å.' });
    const fetch = inProcessFetch(
      [route({ path: '/admin/client', handle: () => Promise.reject(broken) })],
      caller,
    );
    const admin = createAdminClient({ baseUrl: 'http://in.process', fetch });
    assert.equal(await admin.clients.listAll().catch((error) => error), broken);
    const twice = fetched('http://in.process/admin/thing/1?q=1&q=2', { method: 'PATCH' });
    await assert.rejects(twice, { kind: 'invalid_request' });
  });
});

describe('what only a command on the database can do', () => {
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  it('is not done over the network: a body names no owner of a record', async () => {
    const other = { owner: 'paul', ownerAuthority: 'x' };
    const { id, owner, ownerAuthority } = await root.create(servers, { ...anApi, ...other });
    const { json } = await root.call('PATCH', `${servers}/${id}`, other);
    const isRoots = ['root', 'any-person'];
    assert.deepEqual([owner, ownerAuthority], isRoots);
    assert.deepEqual([json.owner, json.ownerAuthority], isRoots);
  });

  it('is not done over the network: no route takes a password', async () => {
    const { json } = await root.get('/admin/openapi.json');
    const bodies = Object.values(json.paths as Record<string, object>).flatMap((path) =>
      Object.values(path).map(({ requestBody }) => JSON.stringify(requestBody ?? {})),
    );
    assert.ok(bodies.some((body) => body.includes('displayName')));
    assert.ok(!bodies.some((body) => body.includes('"password"')));
  });
});
