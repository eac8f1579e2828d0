import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';

let server: AdministrationServer;
let emma: Administering;
let resourceServer: string;
let collection: string;
before(async () => {
  server = await startAdministration({ 'ownerLimits.changesPerMinute': '0' });
  emma = await server.person('emma');
  const { id } = await emma.create('/admin/resourceServer', anApi);
  resourceServer = `/admin/resourceServer/${id}`;
  collection = `${resourceServer}/client`;
});
after(() => server[Symbol.asyncDispose]());

describe('the fields of a submitted client', () => {
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
      assert.equal(answer.status < 300, true, answer.text);
      assert.equal(answer.json.skipConsent, false);
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

  it('are ignored when only the server sets them, also if they are misspelled', async () => {
    const ignored = {
      id: 9,
      clientId: 'x',
      secret: 'x',
      trusted: true,
      resourceserver_id: 9,
      reset: ['trusted'],
      resourceServerId: 9,
      client_id: 'x',
    };
    const answer = await changed({}, { ...ignored, description: 'changed' });
    assert.deepEqual([answer.json.description, answer.json.trusted], ['changed', false]);
  });

  it('are ignored when they are unknown', async () => {
    const unknown = {
      name: 'x',
      tokensValidFrom: 0,
      revision: 1,
      creationDate: 1373178401833,
      allowedUserPasswordCredentials: true,
      $$hashKey: 'object:7',
      '': null,
    };
    const record = await created({ ...unknown, description: 'kept' });
    assert.equal(record.description, 'kept');
    for (const name of Object.keys(unknown)) assert.ok(!Object.hasOwn(record, name), name);
    const answer = await changed({ description: 'before' }, { ...unknown, description: 'after' });
    assert.equal(answer.json.description, 'after');
    const replaced = await emma.call('PUT', `${collection}/${record.id}`, { ...record, ...unknown });
    assert.equal(replaced.json.description, 'kept');
  });

  it('are violations when they are misspelled, with the field that was probably meant', async () => {
    const misspelled = {
      redirectUri: ['https://app.example.com/'],
      thumbnailUrl: '',
      use_refresh_token: true,
      scope: 'read',
      expiresDuration: 60,
    };
    const violations = [
      'redirectUri: is not a field of this record; did you mean redirectUris?',
      'thumbnailUrl: is not a field of this record; did you mean thumbNailUrl?',
      'use_refresh_token: is not a field of this record; did you mean useRefreshTokens?',
      'scope: is not a field of this record; did you mean scopes?',
      'expiresDuration: is not a field of this record; did you mean expireDuration?',
    ];
    assert.deepEqual((await changed({}, misspelled)).json.violations, violations);
    const refused = await emma.call('POST', collection, { ...anApp, ...misspelled });
    assert.deepEqual([refused.status, refused.json.violations], [400, violations]);
  });

  it('are listed up to a number when a body has many that are misspelled', async () => {
    const body = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`description_${i}`, '']));
    const { violations } = (await changed({}, body)).json;
    assert.equal(violations.length, 21);
    assert.equal(violations.at(-1), 'body: has 5 more unknown fields');
  });

  it('are not compared with the known ones when a body has hundreds that are unknown', async () => {
    const body = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`unknown ${i}`, '']));
    assert.deepEqual((await changed({}, body)).json.violations, ['body: has 101 unknown fields']);
    const { 'unknown 100': _, ...fewer } = body;
    assert.equal((await changed({}, fewer)).status, 200);
  });
});

describe('the members of a submitted command', () => {
  it('are violations when they are unknown', async () => {
    const { json } = await emma.call('POST', `${resourceServer}/secret`, { overlp: 60, soon: true });
    assert.deepEqual(json.violations, [
      'overlp: is not a field of this record; did you mean overlap?',
      'soon: is not a field of this record',
    ]);
  });
});
