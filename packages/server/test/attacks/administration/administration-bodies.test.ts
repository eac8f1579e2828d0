import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anApi, anApp, startAdministration } from '@watchword/server-testkit/servers/administration';
import { rounds } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';

const list = '/admin/resourceServer';
const tokens = '/admin/accessToken';

const fieldNames = [
  ...['id', 'name', 'key', 'secret', 'description', 'scopes', 'contactName', 'contactEmail', 'thumbNailUrl'],
  ...['owner', 'ownerAuthority', 'clientId', 'clientName', 'resourceserver_id', 'redirectUris'],
  ...[
    'allowedClientCredentials',
    'allowedImplicitGrant',
    'useRefreshTokens',
    'skipConsent',
    'trusted',
    'includePrincipal',
  ],
  ...[
    'expireDuration',
    'attributes',
    'expires',
    'resourceOwnerId',
    'resourceOwnerAuthority',
    'principal',
    'overlap',
  ],
  ...['token', '__proto__', 'constructor', 'toString', ''],
];

/** Values with a meaning in some field, beside other JSON. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    ...[null, 0, 1, -1, 2 ** 53, 1e308, '', 'read', 'alice', 'system', 'any-person', 'https://a.example/cb'],
    ...['javascript:x', '\0', '\ud800', [], ['read'], ['write', 'read', 'read'], {}, { a: 'b' }, { a: null }],
  ),
  anyText({ maxLength: 300 }),
);

const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), value), {
        selector: ([name]) => name,
        maxLength: 12,
      })
      .map(
        (entries) =>
          `{${entries.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`).join(',')}}`,
      ),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: anyText({ maxLength: 200 }) },
);

describe('a body of any shape, sent by any method', () => {
  it('has no 5xx answer, and changes no record of another user', async () => {
    await using server = await startAdministration({
      'ownerLimits.records': '0',
      'ownerLimits.changesPerMinute': '0',
    });
    const root = await server.administrator();
    const alice = await server.person('alice');
    const mallory = await server.person('mallory');
    const robot = await server.actingClient('Robot');

    const theirs = await alice.create(list, anApi);
    const app = await alice.create(`${list}/${theirs.id}/client`, anApp);
    const token = await alice.create(tokens, { clientId: app.clientId });
    const own = await mallory.create(list, anApi);
    const ownApp = await mallory.create(`${list}/${own.id}/client`, { ...anApp, clientName: 'Own' });
    const ownToken = await mallory.create(tokens, { clientId: ownApp.clientId });
    const watched = [
      `${list}/${theirs.id}`,
      `${list}/${theirs.id}/client`,
      `${tokens}/${token.id}`,
      `${list}?q=authorization-server-admin`,
    ];
    const state = async () => Promise.all(watched.map(async (path) => (await root.get(path)).text));
    const before = await state();

    const paths = [
      ...[list, tokens, '/admin/resourceOwner/revocation', `${list}/${own.id}`, `${list}/${own.id}/secret`],
      ...[`${list}/${own.id}/client`, `${list}/${own.id}/client/${ownApp.id}`, `${tokens}/${ownToken.id}`],
      ...[`${list}/${own.id}/client/${ownApp.id}/secret`, `${list}/${own.id}/client/${app.id}`],
      ...[...watched.slice(0, 3), `${list}/${theirs.id}/client/${app.id}`, `${list}/${theirs.id}/secret`],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(mallory, robot),
        fc.constantFrom('POST', 'PUT', 'PATCH'),
        fc.constantFrom(...paths),
        body,
        async (caller, method, path, sent) => {
          // A body that revokes all tokens of mallory would end the test.
          fc.pre(!(path.includes('resourceOwner') && sent.includes('mallory')));
          const answer = await caller.call(method, path, sent);
          assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
        },
      ),
      { numRuns: rounds(30, 300) },
    );
    assert.deepEqual(await state(), before);
  });
});
