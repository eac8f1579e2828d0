import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { usePasskey } from '@watchword/server-testkit/people/passkeys';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { accountUsers, isLoggedIn } from '@watchword/server-testkit/servers/account-server';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { slowTest } from '@watchword/testkit';
import { Authenticator, flag } from '@watchword/testkit/authenticator';
import { testKey } from '@watchword/testkit/certificate';
import { ClientKey } from '@watchword/testkit/client-key';
import { UserAgent } from '@watchword/testkit/user-agent';

// Written by "kc.sh export" of Keycloak 26.0.7, without its login flows and keys.
const realmFile = new URL('../support/keycloak-realm.json', import.meta.url);
const realmText = await readFile(realmFile, 'utf8');
// Written by mariadb-dump 10.11, of the tables that apis makes.
const dumpText = await readFile(new URL('../support/apis-dump.sql', import.meta.url), 'utf8');

const signer = await ClientKey.create('ES256', 'signer');

interface Realm {
  [member: string]: unknown;
  clients: Record<string, unknown>[];
  users: Record<string, unknown>[];
}

/** The realm, changed. */
function changed(change: (realm: Realm) => void): string {
  const realm = JSON.parse(realmText);
  change(realm);
  return JSON.stringify(realm);
}

/** A passkey of a user, as Keycloak keeps it: no real one can be made without a browser. */
function passkeyOf(authenticator: Authenticator, userId: string): Record<string, unknown> {
  const options = {
    rp: { id: 'localhost' },
    user: { id: Buffer.from(userId).toString('base64url') },
    challenge: 'AAAA',
  };
  const { response } = JSON.parse(authenticator.create(options, 'http://localhost'));
  // The COSE key is the end of the authenticator data, and they are the end of the object.
  const object = Buffer.from(response.attestationObject, 'base64url');
  const key = object.subarray(object.indexOf(authenticator.id) + authenticator.id.length);
  const credentialData = {
    aaguid: '00000000-0000-0000-0000-000000000000',
    credentialId: authenticator.id.toString('base64'),
    counter: 0,
    credentialPublicKey: key.toString('base64url'),
    attestationStatementFormat: 'none',
    transports: ['internal', 'hybrid'],
  };
  return {
    id: 'd6d0c5e2-4a3e-4c6f-9a3e-0f1e2d3c4b5a',
    type: 'webauthn-passwordless',
    userLabel: 'Laptop',
    createdDate: 1_764_000_000_000,
    secretData: '{}',
    credentialData: JSON.stringify(credentialData),
  };
}

interface ReportedRecord {
  kind: string;
  oldId: string;
  name?: string;
  outcome: string;
  details: string[];
  leftOut: string[];
  mustDo: string[];
}

/** An empty database, and the import into it. */
async function emptyDatabase(product: string) {
  const directory = await temporaryDirectory();
  const database = directory.file('moved.db');
  await copyMigrated(database);
  const run = (...args: string[]) => watchword([...args, '--database', database]);
  const moveIn = (stdin: string | Uint8Array, ...args: string[]) =>
    watchword(['import', '--from', product, '-', '--database', database, ...args], { stdin });
  return {
    directory,
    database,
    run,
    moveIn,
    /** The report of an import, its records by their names. */
    async report(stdin: string, ...args: string[]) {
      const { stdout, code } = await moveIn(stdin, '--json', ...args);
      const report = JSON.parse(stdout);
      const of = (name: string): ReportedRecord =>
        report.records.find((each: ReportedRecord) => (each.name ?? each.oldId) === name) ??
        assert.fail(`the report has no ${name}`);
      return { code, report, of };
    },
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('watchword import --from keycloak', () => {
  let moved: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: Awaited<ReturnType<typeof startServer>>;
  let users: Awaited<ReturnType<typeof accountUsers>>;
  let mapping: { accounts: { oldId: string; username: string; sub: string }[] };
  const quins = new Authenticator({ flags: flag.backupEligible });
  const ofCertificate = testKey('signed-by-certificate');
  const realmWithPasskey = changed(({ users, clients }) => {
    const signed = clients.find(({ clientId }) => clientId === 'signed-job') ?? assert.fail('no signed-job');
    // As "Signed Jwt" of the pages of Keycloak stores them.
    for (const [clientId, attributes] of Object.entries({
      'signed-by-set': {
        'use.jwks.string': 'true',
        'jwks.string': JSON.stringify({ keys: [signer.jwk] }),
        'token.endpoint.auth.signing.alg': 'ES256',
      },
      'signed-by-url': {
        ...{ 'use.jwks.url': 'true', 'jwks.url': 'https://signer.example/jwks' },
        ...{ 'dpop.bound.access.tokens': 'true', 'require.pushed.authorization.requests': 'true' },
      },
      'signed-by-certificate': {
        'jwt.credential.certificate': ofCertificate.certificateBase64,
        'jwt.credential.kid': 'k1',
        'token.endpoint.auth.signing.alg': 'RS512',
      },
      'signed-by-key': { 'jwt.credential.public.key': ofCertificate.publicKey.replaceAll(/-----.*|\n/g, '') },
      'signed-at-http': { 'use.jwks.url': 'true', 'jwks.url': 'http://signer.example/jwks' },
      'signed-by-private-key': {
        'use.jwks.string': 'true',
        'jwks.string': JSON.stringify({ keys: [{ ...signer.jwk, d: 'private-part' }] }),
      },
    }))
      clients.push({ ...signed, id: clientId, clientId, attributes });
    const quin = users.find(({ username }) => username === 'quin') ?? assert.fail('no quin');
    const lost = { type: 'webauthn', credentialData: '{"credentialId":"AAAA","credentialPublicKey":"AAAA"}' };
    quin.credentials = [passkeyOf(quins, String(quin.id)), lost];
  });

  before(async () => {
    moved = await emptyDatabase('keycloak');
    const files = ['report', 'mapping'].flatMap((name) => [
      `--${name}`,
      moved.directory.file(`${name}.json`),
    ]);
    const { code, stderr } = await moved.moveIn(realmWithPasskey, ...files);
    assert.deepEqual([code, stderr], [0, '']);
    mapping = JSON.parse(await readFile(moved.directory.file('mapping.json'), 'utf8'));
    server = await startServer({ database: moved.database, authenticator: 'password' });
    users = await accountUsers(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await moved?.[Symbol.asyncDispose]();
  });

  it('lets users log in with the password that they had, by each hash of Keycloak', async () => {
    for (const [user, password] of [
      ['emma', 'emma-likes-argon2'],
      ['noah', 'noah-likes-sha-512'],
      ['olga', 'olga-likes-sha-256'],
    ] as const) {
      assert.ok(await users.browserOf(user, password), `expected ${user} to log in`);
    }
  });

  it('keeps groups, roles with those of groups and composite roles, and claims', async () => {
    const { accounts } = server.service.store;
    const { groups, roles, displayName, emailVerified } = (await accounts.find('emma')) ?? assert.fail();
    assert.deepEqual(
      [groups, roles.toSorted(), displayName, emailVerified],
      [['/staff/leads'], ['chief', 'editor', 'shop-web:manage-stock', 'viewer'], 'Emma Example', true],
    );
    const noah = await accounts.find('noah');
    assert.deepEqual(
      [noah?.roles, noah?.locale, noah?.phoneNumber, noah?.adminPrincipal],
      [['viewer'], 'de', '+49 30 123456', false],
    );
    assert.equal((await accounts.find('paul'))?.disabled, true);
  });

  it('keeps apps for one-time codes', async () => {
    const { credentials } = server.service.store;
    const account = (await server.service.store.accounts.find('rosa')) ?? assert.fail();
    const sub = mapping.accounts.find(({ username }) => username === account.username)?.sub ?? '';
    assert.deepEqual(
      (await credentials.listBySubject(sub)).map(({ kind, name }) => [kind, name]),
      [['totp', 'Phone']],
    );
  });

  it('keeps passkeys, and learns at the first login of one whether it can be on several devices', async () => {
    const { credentials } = server.service.store;
    const kept = async () =>
      (await credentials.listByOwner({ identityProvider: 'password', name: 'quin' })).map(
        ({ kind, name, data }) => [kind, name, JSON.parse(data).isBackupEligible],
      );
    assert.deepEqual(await kept(), [['passkey', 'Laptop', undefined]]);
    const agent = new UserAgent();
    const page = await agent.get(`${server.service.baseUrl}/account`);
    await usePasskey(agent, page, quins, server);
    assert.ok(await isLoggedIn(agent, server), 'expected quin to be logged in');
    assert.deepEqual(await kept(), [['passkey', 'Laptop', true]]);
  });

  it('keeps clients with their secrets, and gives them JWTs of the lifetime that they had', async () => {
    const { json } = await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials', scope: 'orders:write' },
      'night-job:night-job-secret-0123456789',
    );
    assert.deepEqual([json.scope, json.expires_in], ['orders:write', 600]);
    assert.match(json.access_token, /^eyJ/);
    const web = (await server.service.store.clients.find('shop-web')) ?? assert.fail();
    assert.deepEqual(
      [web.redirectUris, web.postLogoutRedirectUris, web.backchannelLogoutUri, web.skipConsent],
      [
        ['https://shop.example.com/callback'],
        ['https://shop.example.com/bye', 'https://shop.example.com/gone'],
        'https://shop.example.com/backchannel',
        true,
      ],
    );
    const spa = (await server.service.store.clients.find('shop-spa')) ?? assert.fail();
    assert.deepEqual(
      [spa.confidential, spa.redirectUris, spa.expireDuration, spa.useRefreshTokens, spa.skipConsent],
      [false, ['https://spa.example.com/callback', 'http://localhost:5173/callback'], 120, false, false],
    );
  });

  it('maps each old id of a user to the sub that applications get, in a file for its owner alone', async () => {
    const [logIn] = await sql(
      moved.database,
      "select subject from login_session where principal_name = 'emma'",
    );
    const old = JSON.parse(realmText).users.find((user: { username: string }) => user.username === 'emma').id;
    assert.equal(mapping.accounts.find(({ oldId }) => oldId === old)?.sub, logIn?.subject);
    const modes = ['report', 'mapping'].map((name) => stat(moved.directory.file(`${name}.json`)));
    assert.deepEqual(
      (await Promise.all(modes)).map(({ mode }) => mode & 0o777),
      [0o600, 0o600],
    );
  });

  it('brings the keys of clients that sign their assertions, who get tokens with them, and says what cannot come', async () => {
    const of = (name: string) => moved.json('client', 'show', name);
    const set = await of('signed-by-set');
    assert.deepEqual(
      [set.tokenEndpointAuthMethod, set.jwks, set.tokenEndpointAuthSigningAlg],
      ['private_key_jwt', { keys: [signer.jwk] }, 'ES256'],
    );
    const issuer = server.service.baseUrl;
    const form = await signer.form({ clientId: 'signed-by-set', issuer });
    const { status, text } = await server.post('/oauth2/token', {
      grant_type: 'client_credentials',
      ...form,
    });
    assert.equal(status, 200, text);
    const byUrl = await of('signed-by-url');
    assert.deepEqual([byUrl.jwksUri, byUrl.jwks], ['https://signer.example/jwks', { keys: [] }]);
    assert.deepEqual(
      [byUrl.dpopBoundAccessTokens, byUrl.requirePushedAuthorizationRequests, set.dpopBoundAccessTokens],
      [true, true, false],
    );
    const { n } = createPublicKey(ofCertificate.publicKey).export({ format: 'jwk' });
    const [certified, plain] = [await of('signed-by-certificate'), await of('signed-by-key')];
    assert.deepEqual(
      [certified.jwks.keys[0].n, certified.jwks.keys[0].kid, plain.jwks.keys[0].n],
      [n, 'k1', n],
    );
    const { records } = JSON.parse(await readFile(moved.directory.file('report.json'), 'utf8'));
    const leftOut = (name: string) =>
      records.find(({ oldId }: ReportedRecord) => oldId === name).leftOut.join();
    assert.match(leftOut('signed-by-certificate'), /^the algorithm "RS512" of its assertions$/);
    assert.match(
      leftOut('signed-at-http'),
      /^the URL of its keys: it uses http, .*,authentication by client-jwt$/,
    );
    assert.match(leftOut('signed-by-private-key'), /has a key \(number 1\) that is private/);
    assert.match(
      leftOut('signed-job'),
      /^its keys, which the file does not have,authentication by client-jwt$/,
    );
    assert.ok(!JSON.stringify(records).includes('private-part'));
  });

  it('says of each record what was left out, why, and what to do', async () => {
    const text = await readFile(moved.directory.file('report.json'), 'utf8');
    const { records, mustDo } = JSON.parse(text);
    const of = (id: string) => records.find(({ oldId }: ReportedRecord) => oldId === id);
    assert.deepEqual(of('old-app').leftOut, ['it is disabled at the old server']);
    assert.match(of('https://wiki.example.com/saml').leftOut[0], /by SAML$/);
    assert.match(of('signed-job').mustDo[0], /watchword client rotate-secret signed-job/);
    assert.match(of('shop-web').leftOut.join('\n'), /has a wildcard.*\nthe password grant$/);
    assert.match(of('tv').leftOut[0], /device grant/);
    const quin = records.find(({ name }: ReportedRecord) => name === 'quin');
    assert.equal(quin.leftOut[0], 'a passkey whose key is none for EdDSA, ES256 or RS256');
    assert.match(mustDo.join('\n'), /sub here.*\n.*username.*\nSet up the identity providers corp/);
    const secrets = [/\$argon2/, /night-job-secret/, /secretData/, /a1B2c3D4e5/].filter((secret) =>
      secret.test(text),
    );
    assert.deepEqual(secrets, [], 'expected no secret in the report');
  });

  it('changes nothing when it is repeated', async () => {
    const { code, report } = await moved.report(realmWithPasskey);
    const outcomes = new Set(report.records.map(({ outcome }: ReportedRecord) => outcome));
    assert.deepEqual([code, [...outcomes].toSorted()], [0, ['leftOut', 'unchanged']]);
  });
});

describe('watchword import --from apis', () => {
  const secret = 'f4a5d0a2-93a6-4b53-8a0b-2f4c0c9f5d77';
  const api = 'university-api:0c7c9c3e-1c5b-4f0e-8a57-6a8fb3a9d0c2';
  const text = (last: number) => `6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a0${last}`;
  let moved: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: Awaited<ReturnType<typeof startServer>>;
  let first: Awaited<ReturnType<typeof moved.report>>;

  before(async () => {
    moved = await emptyDatabase('apis');
    await watchword(['user', 'create', 'emma', '--password-stdin', '--database', moved.database], {
      stdin: 'correct horse battery',
    });
    first = await moved.report(dumpText, '--tokens');
    server = await startServer({ database: moved.database, authenticator: 'password' });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await moved?.[Symbol.asyncDispose]();
  });

  it('keeps resource servers and clients with their secrets, texts and owners', async () => {
    const { code, of } = first;
    assert.deepEqual([code, of('course-app').outcome, of('library-api').outcome], [0, 'created', 'created']);
    const { resourceServers, clients } = server.service.store;
    const university = (await resourceServers.find('university-api')) ?? assert.fail();
    assert.deepEqual(
      [university.owner, university.ownerAuthority, university.description, university.scopes],
      ['emma', 'password', "Courses; and 'grades'", ['read', 'write']],
    );
    const library = (await resourceServers.find('library-api')) ?? assert.fail();
    assert.deepEqual(
      [library.contactName, library.description],
      ['Café "Zoë"', 'Zwei\nZeilen \\ Schrägstrich'],
    );
    const app = (await clients.find('course-app')) ?? assert.fail();
    assert.deepEqual(
      [app.allowedClientCredentials, app.useRefreshTokens, app.expireDuration, app.attributes],
      [true, true, 3600, { theme: 'blue; dark' }],
    );
    const page = (await clients.find('course-page')) ?? assert.fail();
    assert.deepEqual(
      [page.confidential, page.allowedImplicitGrant, page.redirectUris, page.includePrincipal],
      [false, true, ['https://courses.example.com/page'], true],
    );
    assert.match(first.of('course-page').leftOut.join(), /http:\/\/courses.example.com\/old.*uses http/);
    const form = { grant_type: 'client_credentials' };
    assert.equal((await server.post('/oauth2/token', form, `course-app:${secret}`)).status, 200);
  });

  it('keeps tokens of users and of clients, as the API knew them', async () => {
    const { json } = await server.post('/v1/tokeninfo', { access_token: text(1) }, api);
    assert.deepEqual(json, {
      audience: 'Course App',
      scopes: ['read', 'write'],
      principal: {
        name: 'emma',
        roles: ['teacher'],
        groups: ['staff'],
        adminPrincipal: false,
        attributes: { EMAIL: 'emma@example.com' },
      },
      expires_in: 4102444800000,
    });
    const own = await server.post('/v1/tokeninfo', { access_token: text(2) }, api);
    assert.deepEqual([own.json.principal.name, own.json.expires_in], ['course-app', 0]);
  });

  it('names each token that does not come, with the reason', () => {
    const { created, leftOut } = first.report.tokens;
    assert.equal(created, 2);
    assert.deepEqual(leftOut, [
      { id: '23', outcome: 'leftOut', reason: 'it has expired' },
      { id: '24', outcome: 'leftOut', reason: 'its user nobody-here has no account here' },
      { id: '25', outcome: 'leftOut', reason: 'its text is no UUID' },
    ]);
  });

  it('exchanges a refresh token once, and shows a client its own tokens', async () => {
    const refreshToken = '0b0d7a52-8a5e-4f1e-9d59-5f3f2f7f0a11';
    const ask = async (token: string) =>
      (await server.post('/oauth2/introspect', { token }, `course-app:${secret}`)).json.active;
    assert.deepEqual([await ask(refreshToken), await ask(text(1)), await ask(text(4))], [true, true, false]);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const { status, json } = await server.post('/oauth2/token', form, `course-app:${secret}`);
    assert.deepEqual([status, json.scope], [200, 'read write']);
    const info = await server.post('/v1/tokeninfo', { access_token: json.access_token }, api);
    assert.equal(info.json.principal.name, 'emma');
    assert.equal(await ask(refreshToken), false);
  });

  it('does not bring a token back that was revoked here', async () => {
    const revoked = await server.post('/oauth2/revoke', { token: text(2) }, `course-app:${secret}`);
    assert.equal(revoked.status, 200);
    const { report } = await moved.report(dumpText, '--tokens');
    assert.deepEqual([report.tokens.created, report.tokens.unchanged], [0, 2]);
    assert.equal((await server.post('/v1/tokeninfo', { access_token: text(2) }, api)).status, 404);
  });

  it('leaves the records of the administration pages out, and all tokens unless they are asked for', async () => {
    await using empty = await emptyDatabase('apis');
    const { report, of } = await empty.report(dumpText);
    assert.deepEqual([of('99998').outcome, report.tokens], ['leftOut', undefined]);
    assert.match(report.mustDo.join(), /--tokens/);
  });

  it('counts the tokens of clients that a dry run would create', async () => {
    await using empty = await emptyDatabase('apis');
    const { report } = await empty.report(dumpText, '--tokens', '--dry-run', '--identity-provider', 'saml');
    assert.equal(report.tokens.created, 3);
    assert.deepEqual(
      report.tokens.leftOut.map(({ reason }: { reason: string }) => reason),
      ['it has expired', 'its text is no UUID'],
    );
  });

  slowTest('reads dumps of other forms as the same', async () => {
    await using empty = await emptyDatabase('apis');
    // mariadb-dump writes the octet of a bit; others write it in these ways.
    const one = `'${String.fromCharCode(1)}'`;
    const hex = dumpText.replaceAll(one, '0x01').replaceAll("'\\0'", '0x00');
    const bits = dumpText.replaceAll(one, "b'1'").replaceAll("'\\0'", "_binary '\\0'");
    const ansi = dumpText.replaceAll('`', '"');
    const lower = dumpText.replaceAll(/`\w+_\w+`/g, (name) => name.toLowerCase());
    const outcomes = async (dump: string) => (await empty.report(dump, '--dry-run')).report.records;
    const expected = await outcomes(dumpText);
    for (const other of [hex, bits, ansi, lower]) {
      assert.notEqual(other, dumpText);
      assert.deepEqual(await outcomes(other), expected);
    }
  });

  it('refuses a dump that is cut off, has no columns, or is of other tables, with the line', async () => {
    await using empty = await emptyDatabase('apis');
    for (const [input, expected] of [
      [
        dumpText.slice(0, dumpText.indexOf('(22,')),
        /line \d+: the file ends in the middle of a statement; it is cut off/,
      ],
      [
        dumpText.slice(0, dumpText.indexOf('UNLOCK TABLES')),
        /ends without "-- Dump completed"; it is cut off/,
      ],
      [dumpText.replace("'course-app',", "'course-app' "), /line \d+: expected \) after the values/],
      [dumpText.replace("(13,'2013", "(13,14,'2013"), /line \d+: expected 17 values for client, got 18/],
      [dumpText.replace('SET NAMES utf8mb4', 'SET NAMES latin1'), /expected a dump in UTF-8, got latin1/],
      [
        dumpText.replaceAll('accesstoken', 'others'),
        /expected the tables of apis, but accesstoken is missing/,
      ],
      ['{"realm": "acme"}', /expected the SQL of mysqldump/],
      ["INSERT INTO client VALUES (1,'x');", /line 1: the columns of client are not known/],
    ] as const) {
      const { code, stderr } = await empty.moveIn(input);
      assert.equal(code, 2, stderr);
      assert.match(stderr, expected);
    }
  });
});

describe('watchword import --from hydra', () => {
  // As "hydra list oauth2-clients --format json" writes it.
  const clients = {
    items: [
      {
        client_id: '3f1c1d2e-8f6b-4f57-9a31-1f6d7f6d0001',
        client_name: 'Shop',
        grant_types: ['authorization_code', 'implicit', 'refresh_token'],
        response_types: ['code', 'code id_token'],
        redirect_uris: ['https://shop.example.com/callback'],
        post_logout_redirect_uris: ['https://shop.example.com/bye'],
        scope: 'openid offline_access email orders:read',
        token_endpoint_auth_method: 'client_secret_basic',
        client_secret: 'the-secret-that-was-written-down',
        skip_consent: true,
        authorization_code_grant_access_token_lifespan: '1h30m0s',
      },
      {
        client_id: 'night-job',
        grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
        scope: 'orders:read orders:write',
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        client_id: 'spa',
        grant_types: ['authorization_code'],
        redirect_uris: ['https://spa.example.com/'],
        scope: 'openid',
        token_endpoint_auth_method: 'none',
      },
      {
        client_id: 'from-the-table',
        client_secret: '$pbkdf2-sha256$i=25000,l=32$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA',
        grant_types: ['client_credentials'],
        audience: ['https://api.example.com'],
        access_token_strategy: 'jwt',
        authorization_code_grant_access_token_lifespan: null,
      },
      {
        client_id: 'signer',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [{ use: 'sig', ...signer.jwk }] },
      },
      {
        client_id: 'remote-signer',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: {},
        jwks_uri: 'https://signer.example/jwks',
      },
      {
        client_id: 'signer-without-keys',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: {},
      },
      { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], scope: 'openid' },
    ],
    is_last_page: false,
    next_page_token: 'abc',
  };

  it('brings clients with their grants and scopes, and says what Hydra does not tell', async () => {
    await using empty = await emptyDatabase('hydra');
    const { code, of, report } = await empty.report(JSON.stringify(clients));
    assert.deepEqual(
      [code, of('spa').outcome, of('night-job').outcome, of('tv').outcome],
      [0, 'created', 'created', 'leftOut'],
    );
    assert.match(
      of('night-job').leftOut.join(),
      /grant-type:jwt-bearer.*its secret, of which Hydra has a hash alone/,
    );
    assert.match(of('night-job').mustDo.join(), /watchword client rotate-secret night-job/);
    assert.deepEqual(of('from-the-table').leftOut, [
      'the audience "https://api.example.com"',
      'its secret: the file has the hash of the database',
    ]);
    assert.match(of('from-the-table').mustDo.join(), /accessTokenFormat of "hydra" to jwt/);
    assert.match(report.mustDo.join(), /one page of the list/);
    const shop = await empty.json('client', 'show', '3f1c1d2e-8f6b-4f57-9a31-1f6d7f6d0001');
    assert.deepEqual(
      [shop.scopes, shop.openidScopes, shop.useRefreshTokens, shop.expireDuration, shop.skipConsent],
      [['orders:read'], ['email'], true, 5400, true],
    );
    assert.deepEqual([shop.allowedHybrid, shop.allowedImplicitGrant], [true, false]);
    const spa = await empty.json('client', 'show', 'spa');
    assert.deepEqual([spa.confidential, spa.useRefreshTokens], [false, false]);
    const { resourceServers } = { resourceServers: await empty.json('resource-server', 'list') };
    const home = resourceServers.find(({ key }: { key: string }) => key === 'hydra');
    assert.deepEqual(home.scopes, ['orders:read', 'orders:write']);
    const [signed, remote] = [
      await empty.json('client', 'show', 'signer'),
      await empty.json('client', 'show', 'remote-signer'),
    ];
    assert.deepEqual(
      [signed.tokenEndpointAuthMethod, signed.tokenEndpointAuthSigningAlg, signed.jwks.keys[0].x],
      ['private_key_jwt', 'ES256', signer.jwk.x],
    );
    assert.deepEqual(
      [remote.tokenEndpointAuthMethod, remote.jwksUri],
      ['private_key_jwt', 'https://signer.example/jwks'],
    );
    assert.match(of('signer-without-keys').leftOut.join(), /its keys, which the file does not have/);
    const again = await empty.report(JSON.stringify(clients));
    assert.deepEqual(
      [again.code, again.of('spa').outcome, again.of('signer').outcome],
      [0, 'unchanged', 'unchanged'],
    );
    const alone = await empty.report(JSON.stringify(clients.items[2]), '--dry-run');
    assert.deepEqual([alone.code, alone.of('spa').outcome], [0, 'unchanged']);
  });

  it('refuses what is no list of clients', async () => {
    await using empty = await emptyDatabase('hydra');
    for (const other of ['[{"id": 1}]', '{"items": {}}', '7']) {
      const { code, stderr } = await empty.moveIn(other);
      assert.equal(code, 2);
      assert.match(stderr, /expected the clients of Hydra, a list with client_id each/);
    }
  });
});

describe('watchword import --from auth0', () => {
  const clients = [
    {
      client_id: 'AbCdEf0123456789',
      client_secret: 'a-secret-of-auth0-0123456789',
      name: 'Regular App',
      app_type: 'regular_web',
      is_first_party: true,
      callbacks: ['https://app.example.com/callback', 'https://*.example.com/callback'],
      allowed_logout_urls: ['https://app.example.com'],
      grant_types: ['authorization_code', 'refresh_token', 'password'],
      jwt_configuration: { alg: 'RS256', lifetime_in_seconds: 36000, secret_encoded: false },
      token_endpoint_auth_method: 'client_secret_post',
      oidc_logout: { backchannel_logout_urls: ['https://app.example.com/logout'] },
    },
    {
      client_id: 'DesktopWithSecret',
      client_secret: 'another-secret-of-auth0-0123456789',
      name: 'Desktop',
      app_type: 'native',
      callbacks: ['https://desktop.example.com/'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    {
      client_id: 'SignsItsRequests',
      client_secret: 'a-secret-that-is-not-used-0123456789',
      name: 'Worker',
      app_type: 'non_interactive',
      grant_types: ['client_credentials'],
      client_authentication_methods: { private_key_jwt: { credentials: [{ id: 'cred_1' }] } },
    },
    {
      client_id: 'SpaSpaSpa',
      name: 'SPA',
      app_type: 'spa',
      callbacks: ['https://spa.example.com/'],
      grant_types: ['authorization_code'],
    },
    { client_id: 'Global', name: 'All Applications', global: true },
  ];
  // bcrypt of "correct horse é".
  const passwordHash = '$2b$04$PqFdEbBRaACnkQtzfv3F3.ROpucXkFx2e9R4f6V11eG9V74gll0.q';
  const users = [
    {
      _id: { $oid: '5f0000000000000000000001' },
      email: 'emma@example.com',
      email_verified: true,
      passwordHash,
      password_set_date: { $date: '2019-12-06T18:36:12.412Z' },
      tenant: 'acme',
      connection: 'Users',
      _tmp_is_unique: true,
    },
    {
      _id: { $oid: '5f0000000000000000000003' },
      alt_id: 'euclid',
      passwordHash,
      tenant: 'acme',
      connection: 'Users',
      identifiers: [
        { type: 'email', value: 'euclid@example.com', verified: true },
        { type: 'phone_number', value: '+49 30 654321', verified: false },
      ],
    },
    {
      user_id: 'auth0|5f02',
      username: 'finn',
      email: 'finn@example.com',
      blocked: true,
      user_metadata: { size: 'L' },
      identifiers: [{ type: 'email', value: 'another@example.com', verified: true }],
    },
    { user_id: 'google-oauth2|117', email: 'gina@example.com' },
  ];
  const lines = users.map((user) => `${JSON.stringify(user)}\n`).join('');

  it('brings clients with their secrets', async () => {
    await using empty = await emptyDatabase('auth0');
    const page = { start: 0, limit: 50, length: clients.length, total: 70, clients };
    const { code, of, report } = await empty.report(JSON.stringify(page));
    assert.deepEqual([code, of('AbCdEf0123456789').outcome, of('Global').outcome], [0, 'created', 'leftOut']);
    assert.match(report.mustDo.join(), /one page of the list/);
    assert.deepEqual(of('SignsItsRequests').leftOut, ['authentication by private_key_jwt']);
    assert.match(of('AbCdEf0123456789').leftOut.join('\n'), /^the grant password\n.*has a wildcard/);
    const app = await empty.json('client', 'show', 'AbCdEf0123456789');
    assert.deepEqual(
      [
        app.redirectUris,
        app.postLogoutRedirectUris,
        app.useRefreshTokens,
        app.skipConsent,
        app.expireDuration,
      ],
      [['https://app.example.com/callback'], ['https://app.example.com'], true, true, 86400],
    );
    assert.equal(app.backchannelLogoutUri, 'https://app.example.com/logout');
    assert.equal((await empty.json('client', 'show', 'DesktopWithSecret')).confidential, true);
    assert.equal((await empty.json('client', 'show', 'SpaSpaSpa')).confidential, false);
  });

  slowTest('brings users of a file of lines, who log in with the password that they had', async () => {
    await using empty = await emptyDatabase('auth0');
    const { code, of } = await empty.report(lines);
    assert.deepEqual(
      [code, of('emma@example.com').outcome, of('google-oauth2|117').outcome],
      [0, 'created', 'leftOut'],
    );
    assert.deepEqual(of('finn').leftOut, ['user_metadata', 'its password, which the file does not have']);
    const finn = await empty.json('user', 'show', 'finn');
    assert.deepEqual([finn.disabled, finn.emailVerified], [true, false]);
    const euclid = await empty.json('user', 'show', 'euclid@example.com');
    assert.deepEqual(
      [of('euclid@example.com').oldId, euclid.email, euclid.emailVerified, euclid.phoneNumber],
      ['auth0|euclid', 'euclid@example.com', true, '+49 30 654321'],
    );
    await using server = await startServer({ database: empty.database, authenticator: 'password' });
    const { browserOf } = await accountUsers(server);
    assert.ok(await browserOf('emma@example.com', 'correct horse é'));
    const again = await empty.report(JSON.stringify(users));
    assert.deepEqual([again.code, again.of('emma@example.com').outcome], [0, 'unchanged']);
    const alone = await empty.report(`${JSON.stringify(users[0])}\n`, '--dry-run');
    assert.deepEqual([alone.code, alone.of('emma@example.com').outcome], [0, 'unchanged']);
  });

  it('refuses a broken line, and a file of another kind', async () => {
    await using empty = await emptyDatabase('auth0');
    for (const [input, expected] of [
      [`${lines}{"user_id": "auth0|1`, /line 5: expected a user in JSON; the file may be cut off/],
      ['[{"hello": 1}]', /expected clients with client_id/],
      ['[{"email": "emma@example.com"}]', /or users with user_id/],
    ] as const) {
      const { code, stderr } = await empty.moveIn(input);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    }
  });
});

describe('watchword import --from that stores nothing', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>;
  before(async () => {
    empty = await emptyDatabase('keycloak');
  });
  after(() => empty[Symbol.asyncDispose]());

  it('stores nothing in a dry run', async () => {
    const { report } = await empty.report(realmText, '--dry-run');
    assert.deepEqual([report.dryRun, report.isStored], [true, false]);
    assert.deepEqual(
      (await empty.json('client', 'list')).map(({ clientId }: { clientId: string }) => clientId),
      [],
    );
  });

  it('refuses a file that is cut off, in another encoding, of another kind, or of another product, with the place', async () => {
    for (const [input, expected] of [
      [
        realmText.slice(0, 5000),
        /^watchword: standard input, line \d+, column \d+: the JSON ends in the middle; the file is cut off/,
      ],
      [
        realmText.replace('"clients"', '"clients'),
        /^watchword: standard input, line \d+, column \d+: expected JSON/,
      ],
      [
        Buffer.from(`\uFEFF${realmText}`, 'utf16le'),
        /^watchword: standard input: expected UTF-8, got UTF-16; "iconv/,
      ],
      [
        Buffer.from(realmText.replace('Acme', 'Acm\u00e9'), 'latin1'),
        /expected UTF-8, got another encoding in line \d+;/,
      ],
      [`[${realmText}]`, /expected the export of one realm, got a list of 1; "kc.sh export --realm/],
      ['{"users": []}', /expected the export of a realm, an object with "realm" and "clients"/],
    ] as const) {
      const { code, stderr } = await empty.moveIn(input);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    }
    const other = await watchword(['import', '--from', 'okta', '-', '--database', empty.database], {
      stdin: '{}',
    });
    assert.match(other.stderr, /--from: expected auth0, hydra, apis, keycloak, got "okta"/);
  });

  it('writes no report where the file cannot be, and stores nothing', async () => {
    const { code, stderr } = await empty.moveIn(
      realmText,
      '--report',
      empty.directory.file('no/report.json'),
    );
    assert.deepEqual(
      [code, /^watchword: --report: .* cannot be written: ENOENT/.test(stderr)],
      [2, true],
      stderr,
    );
    assert.deepEqual(await empty.json('user', 'list'), []);
  });
});

describe('watchword import --from', () => {
  it('imports nothing where a record is refused, or the rest if it is told to', async () => {
    await using empty = await emptyDatabase('keycloak');
    const wrong = changed(({ clients, users }) => {
      Object.assign(clients.find(({ clientId }) => clientId === 'night-job') ?? {}, { secret: 'short' });
      Object.assign(users.find(({ username }) => username === 'paul') ?? {}, { username: 'pa\u200bul' });
    });
    const refused = await empty.report(wrong);
    assert.deepEqual(
      [refused.code, refused.of('night-job').outcome, refused.of('emma').outcome],
      [1, 'refused', 'notReached'],
    );
    const rest = await empty.report(wrong, '--skip-refused');
    assert.deepEqual(
      [
        rest.code,
        rest.of('night-job').outcome,
        rest.of('shop-web').outcome,
        rest.of('emma').outcome,
        rest.of('pa\u200bul').outcome,
      ],
      [0, 'refused', 'created', 'created', 'refused'],
    );
    assert.match(rest.of('night-job').details[0] ?? '', /fewer than 16 characters/);
  });

  it('gives a client whose secret the file masks another one, and says so', async () => {
    await using empty = await emptyDatabase('keycloak');
    const masked = changed(({ clients }) => {
      for (const client of clients) if (client.secret !== undefined) client.secret = '**********';
      // Confidential, with codes: here it has the hybrid flow.
      Object.assign(clients.find(({ clientId }) => clientId === 'shop-web') ?? {}, {
        implicitFlowEnabled: true,
      });
    });
    const { of, code } = await empty.report(masked);
    assert.deepEqual([code, of('night-job').outcome], [0, 'created']);
    assert.match(of('night-job').leftOut[0] ?? '', /its secret, which the file does not have/);
    const web = await empty.json('client', 'show', 'shop-web');
    assert.deepEqual([web.allowedHybrid, web.allowedImplicitGrant], [true, false]);
  });

  it('leaves a hash out that no login could check, and says so', async () => {
    await using empty = await emptyDatabase('keycloak');
    const other = changed(({ users }) => {
      const [password] = (users.find(({ username }) => username === 'emma')?.credentials ?? []) as object[];
      Object.assign(password ?? {}, { credentialData: JSON.stringify({ algorithm: 'house-made' }) });
    });
    const { of } = await empty.report(other);
    assert.deepEqual([of('emma').outcome, of('emma').mustDo.length], ['created', 1]);
    assert.match(of('emma').leftOut[0] ?? '', /its password: expected an argon2/);
  });

  slowTest('takes a byte order mark, and the hashes of old releases', async () => {
    await using empty = await emptyDatabase('keycloak');
    const old = changed(({ users }) => {
      const olga = users.find(({ username }) => username === 'olga') ?? {};
      const [{ secretData, credentialData }] = olga.credentials as [Record<string, string>];
      const { value, salt } = JSON.parse(secretData ?? '');
      const { hashIterations, algorithm } = JSON.parse(credentialData ?? '');
      olga.credentials = [{ type: 'password', hashedSaltedValue: value, salt, hashIterations, algorithm }];
    });
    const { of } = await empty.report(`\uFEFF${old}`);
    assert.deepEqual(
      [of('olga').outcome, of('olga').leftOut.filter((each) => /password/.test(each))],
      ['created', []],
    );
  });
});
