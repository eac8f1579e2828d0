import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { placeDatabase } from '@watchword/testkit/place-database';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const list = '/admin/loginSession';
const listOf = (name: string) => `${list}?resourceOwnerId=${name}&identityProvider=any-person`;

describe('login sessions over REST', () => {
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  const url = () => `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
  const logIn = async (username: string, agent = new UserAgent()) => {
    const { parameters } = await followFlow(agent, url(), { username, password: '{}' });
    return { agent, code: parameters.get('code') ?? '' };
  };

  it('are listed for administrators by person, newest first, with device and address, without a verifier or attributes', async () => {
    const start = Date.now();
    await logIn('ann');
    await logIn('ann', new UserAgent({ 'user-agent': firefox }));
    await logIn('bob');
    const { json } = await root.get(listOf('ann'));
    assert.equal(json.length, 2);
    const [{ id, creationDate, lastUsed, expires, ...session }, earlier] = json;
    assert.deepEqual(session, {
      authenticator: 'any-person',
      identityProvider: 'any-person',
      resourceOwnerId: 'ann',
      device: 'Firefox, Linux',
      source: '127.0.0.1',
      places: [],
    });
    assert.ok(id > earlier.id && creationDate >= start && lastUsed >= creationDate && expires > lastUsed);
    assert.deepEqual((await root.get(`${list}?resourceOwnerId=ann&identityProvider=password`)).json, []);
  });

  it('are listed page by page, each once', async () => {
    for (const _ of '123') await logIn('cid');
    const ids: string[] = [];
    let path: string | undefined = `${listOf('cid')}&limit=1`;
    while (path !== undefined) {
      const { json, headers }: Answer = await root.get(path);
      ids.push(...json.map(({ id }: { id: string }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  it('are not listed when they were not used for the idle lifetime', async () => {
    using clock = stoppedClock();
    await logIn('dan');
    assert.equal((await root.get(listOf('dan'))).json.length, 1);
    clock.advance(8 * 3600);
    const later = await server.administrator();
    const [session] = (await later.get(listOf('dan'))).json;
    assert.equal(session, undefined);
  });

  it('end one by one: the user must log in again, and the tokens stay valid', async () => {
    const { agent, code } = await logIn('eva');
    const { agent: other } = await logIn('eva');
    const form = { grant_type: 'authorization_code', code };
    const { access_token } = (await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret'))
      .json;
    const [, { id }] = (await root.get(listOf('eva'))).json;
    assert.equal((await root.call('DELETE', `${list}/${id}`)).status, 204);
    assert.equal((await agent.get(url())).status, 200);
    assert.equal((await other.get(url())).status, 303);
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token },
      'demo-resource-server:demo-resource-server-secret',
    );
    assert.equal(info.status, 200);
    assertError(await root.call('DELETE', `${list}/${id}`), 404, 'not_found');
    const [event] = (await root.get(`/admin/auditEvent?recordType=loginSession&recordId=${id}&kind=changes`))
      .json;
    assert.deepEqual(
      [event.action, event.actor, event.owner, event.before.authenticator],
      ['delete', 'root', 'eva', 'any-person'],
    );
  });

  it('are neither shown to other callers nor ended by them', async () => {
    await logIn('finn');
    const [{ id }] = (await root.get(listOf('finn'))).json;
    for (const caller of [await server.person('finn'), await server.actingClient('Agent')]) {
      assertError(await caller.get(listOf('finn')), 403, 'access_denied');
      assertError(await caller.call('DELETE', `${list}/${id}`), 403, 'access_denied');
    }
  });

  it('need a name together with its identity provider', async () => {
    assertError(await root.get(`${list}?resourceOwnerId=ann`), 400, 'invalid_request');
    assertError(await root.get(`${list}?identityProvider=any-person`), 400, 'invalid_request');
    assertError(await root.call('DELETE', `${list}/x`), 404, 'not_found');
  });
});

describe('login sessions at a server with a database of places', () => {
  it('are listed with town and country of their address, in every language of the database', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('places.mmdb');
    const [town, country] = [
      { en: 'Utrecht', de: 'Utrecht (Stadt)' },
      { en: 'Netherlands', de: 'Niederlande' },
    ];
    await writeFile(file, placeDatabase('127.0.0.0', 8, town, country));
    await using server = await startAdministration({ 'pages.placeDatabase': file });
    const root = await server.administrator();
    const [{ source, places }] = (await root.get(list)).json;
    assert.deepEqual([source, places], ['127.0.0.1', [town, country]]);
  });
});
