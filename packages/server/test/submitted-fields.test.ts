import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/administration';

describe('the fields of a submitted client', () => {
  let server: AdministrationServer;
  let emma: Administering;
  let collection: string;
  before(async () => {
    server = await startAdministration({ 'ownerLimits.changesPerMinute': '0' });
    emma = await server.person('emma');
    const { id } = await emma.create('/admin/resourceServer', anApi);
    collection = `/admin/resourceServer/${id}/client`;
  });
  after(() => server[Symbol.asyncDispose]());

  const created = async (fields: object) => emma.create(collection, { ...anApp, ...fields });
  const changed = async (fields: object, body: unknown) => {
    const { id } = await created(fields);
    return emma.call('PATCH', `${collection}/${id}`, body);
  };

  it('keep attributes with the names of members of every object', async () => {
    const attributes = { constructor: 'a', prototype: 'b', toString: 'c' };
    assert.deepEqual((await created({ attributes })).attributes, attributes);
    const answer = await changed({ attributes: { team: 'x' } }, { attributes });
    assert.deepEqual(answer.json.attributes, { team: 'x', ...attributes });
    const removed = await changed(
      { attributes },
      { attributes: { constructor: null, hasOwnProperty: null } },
    );
    assert.deepEqual(removed.json.attributes, { prototype: 'b', toString: 'c' });
  });

  it('are never those of a prototype', async () => {
    for (const [method, own] of [
      ['POST', anApp],
      ['PATCH', {}],
    ] as const) {
      const body = JSON.stringify({ ...own, clientName: 'x' }).replace(
        /^\{/,
        '{"__proto__":{"skipConsent":true},',
      );
      const path = method === 'POST' ? collection : `${collection}/${(await created({})).id}`;
      const answer = await emma.call(method, path, body);
      assert.deepEqual(answer.json.violations, ['__proto__: is not a field of this record']);
    }
  });

  it('reject an attribute with the name __proto__, with any value', async () => {
    for (const value of ['"x"', '{"a":"b"}', '5']) {
      const answer = await changed({}, `{"attributes":{"__proto__":${value}}}`);
      assert.equal(answer.status, 400);
      assert.match(
        answer.json.violations.join(),
        /^attributes: (?:have the name __proto__|expected an object)/,
      );
    }
  });

  it('accept 1 and 0 for a boolean, and no other number', async () => {
    for (const [written, stored] of [
      [1, true],
      [0, false],
      [true, true],
    ]) {
      const answer = await changed({}, { useRefreshTokens: written });
      assert.equal(answer.json.useRefreshTokens, stored);
    }
    for (const written of ['true', 2, -0.5, [], {}, [1]]) {
      const { json } = await changed({}, { useRefreshTokens: written });
      assert.match(json.violations[0], /^useRefreshTokens: expected true or false, got /);
    }
  });

  it('get the defaults of a new client where a merge patch has null, except the required ones', async () => {
    const answer = await changed(
      { useRefreshTokens: true, expireDuration: 60, attributes: { a: 'b' } },
      { useRefreshTokens: null, expireDuration: null, attributes: null, description: null },
    );
    const { useRefreshTokens, expireDuration, attributes, description } = answer.json;
    assert.deepEqual([useRefreshTokens, expireDuration, attributes, description], [false, 0, {}, '']);
    assert.deepEqual((await changed({}, { clientName: null })).json.violations, ['clientName: is required']);
  });

  it('are ignored when only the server sets them, and are violations when they are unknown', async () => {
    const ignored = {
      id: 9,
      clientId: 'x',
      secret: 'x',
      trusted: true,
      resourceserver_id: 9,
      reset: ['trusted'],
    };
    const answer = await changed({}, { ...ignored, description: 'changed' });
    assert.deepEqual([answer.json.description, answer.json.trusted], ['changed', false]);
    const { json } = await changed({}, { resourceServerId: 9, tokensValidFrom: 0, revision: 1 });
    assert.deepEqual(json.violations, [
      'resourceServerId: is not a field of this record',
      'tokensValidFrom: is not a field of this record',
      'revision: is not a field of this record',
    ]);
  });
});
