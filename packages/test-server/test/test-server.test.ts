import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTokenVerifier, type TokenVerifier } from '@watchword/resource-server';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { startTestServer, type TestServer, TestServerError, type TestServerOptions } from '../src/index.ts';
import { useTestServer } from './support/use-test-server.ts';

const emma = {
  name: 'emma',
  groups: ['staff'],
  attributes: { DISPLAY_NAME: 'Emma' },
  claims: { email: 'emma@example.org', email_verified: true },
};
const opaque = { key: 'orders', scopes: ['read', 'write'], loginDetails: true };
const jwt = {
  key: 'invoices',
  scopes: ['read'],
  accessTokenFormat: 'jwt',
  resources: ['https://invoices.example'],
} as const;

describe('a test server', () => {
  let server: TestServer;
  let orders: TokenVerifier;
  let invoices: TokenVerifier;
  before(async () => {
    server = await startTestServer({
      users: [emma],
      resourceServers: [opaque],
      clients: [{ clientId: 'shop' }],
    });
    orders = createTokenVerifier({ ...server.resourceServer, cache: { ttl: 0 } });
    const registered = await server.addResourceServer(jwt);
    await server.addClient({ clientId: 'ledger', resourceServer: 'invoices', confidential: false });
    const resource = 'https://invoices.example';
    invoices = createTokenVerifier({
      ...registered,
      resource,
      issuer: server.url,
      jwt: { maxListAge: 2000 },
    });
  });
  after(async () => {
    orders?.close();
    invoices?.close();
    await server?.close();
  });
  afterEach(() => server.faults.endAll());

  const rejected = (verifier: TokenVerifier, token: string) =>
    assert.rejects(verifier.verify(token), { name: 'TokenRejected' });
  const ofShop = () => server.logIn({ user: 'emma', client: 'shop', scope: 'read' });
  const ofLedger = () => server.logIn({ user: 'emma', client: 'ledger', scope: 'read' });

  it('logs a user in without a page: token info, ID token and refresh token are those of the real server', async () => {
    const details = { amr: ['pwd', 'otp'], acr: 'urn:example:strong', nonce: 'n-1' };
    const tokens = await server.logIn({ user: 'emma', scope: 'openid email groups read', ...details });
    const { principal, scopes, audience, acr } = await orders.verify(tokens.accessToken);
    assert.deepEqual(
      [principal.name, principal.groups, principal.attributes],
      ['emma', ['staff'], { DISPLAY_NAME: 'Emma' }],
    );
    assert.deepEqual(
      [scopes, audience, acr],
      [['openid', 'email', 'groups', 'read'], 'shop', 'urn:example:strong'],
    );
    const [, payload = ''] = tokens.idToken?.split('.') ?? [];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    assert.deepEqual(
      [claims.iss, claims.aud, claims.nonce, claims.amr],
      [server.url, 'shop', 'n-1', ['pwd', 'otp']],
    );
    const info = await fetch(`${server.url}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${tokens.accessToken}` },
    });
    assert.deepEqual(((await info.json()) as { groups: unknown }).groups, ['staff']);
    const next = await server.refresh(tokens.refreshToken ?? '');
    assert.equal((await orders.verify(next.accessToken)).principal.name, 'emma');
  });

  it('gives JWTs that an API verifies itself, also to a public client, which it asks for consent', async () => {
    const { accessToken } = await ofLedger();
    assert.deepEqual((await invoices.verify(accessToken)).scopes, ['read']);
  });

  it('gives a client a token for itself', async () => {
    const { accessToken, refreshToken } = await server.clientCredentials({ client: 'shop', scope: 'write' });
    const { principal, scopes } = await orders.verify(accessToken);
    assert.deepEqual([principal.name, scopes, refreshToken], ['shop', ['write'], undefined]);
  });

  it('says why the real server refuses a request', async () => {
    await assert.rejects(server.logIn({ scope: 'admin' }), (error) => {
      assert.ok(error instanceof TestServerError);
      assert.match(error.message, /^The login to shop failed: invalid_scope: /);
      return true;
    });
    await assert.rejects(server.logIn({ client: 'nobody' }), /has no client nobody; it has shop, ledger/);
    await assert.rejects(
      server.clientCredentials({ client: 'ledger' }),
      /answered 400 to ledger at \/oauth2\/token: .*unauthorized_client/,
    );
    await assert.rejects(server.addClient({ clientId: 'shop' }), /This server has a client shop already/);
    const wrong = server.addClient({ clientId: 'wrong', redirectUris: ['http://example.org/'] });
    await assert.rejects(wrong, /^TestServerError: The client wrong cannot be registered: redirectUris: /);
  });

  it('shows browsers the login page, which accepts everyone, and the consent page of clients that do not skip it', async () => {
    await server.addClient({ clientId: 'asking', resourceServer: 'orders', skipConsent: false });
    const query = new URLSearchParams({ response_type: 'code', client_id: 'asking', scope: 'read' });
    const { location, pages } = await followFlow(new UserAgent(), `${server.url}/authorize?${query}`, {
      username: 'anyone',
    });
    assert.match(location, /^http:\/\/localhost\/callback\?code=/);
    assert.equal(pages.length, 3);
  });

  it('expiredTokens: gives tokens that have expired, with a refresh token that has not', async () => {
    using fault = server.faults.expiredTokens();
    const shop = await ofShop();
    await rejected(orders, shop.accessToken);
    await rejected(invoices, (await ofLedger()).accessToken);
    await rejected(orders, (await server.clientCredentials({ client: 'shop' })).accessToken);
    fault.end();
    const { accessToken } = await server.refresh(shop.refreshToken ?? '');
    assert.equal((await orders.verify(accessToken)).principal.name, 'emma');
  });

  it('wrongAudience: gives tokens for another resource server', async () => {
    server.faults.wrongAudience();
    const [first, second] = await Promise.all([ofShop(), ofShop()]);
    for (const { accessToken } of [first, second]) await rejected(orders, accessToken);
    await rejected(invoices, (await ofLedger()).accessToken);
    server.faults.endAll();
    assert.deepEqual((await invoices.verify((await ofLedger()).accessToken)).scopes, ['read']);
  });

  it('wrongIssuer: gives tokens of another issuer, signed with the same key', async () => {
    await invoices.verify((await ofLedger()).accessToken);
    const headOf = ({ accessToken }: { accessToken: string }) => accessToken.split('.')[0];
    const right = await ofLedger();
    server.faults.wrongIssuer();
    const [wrong, beside] = await Promise.all([ofLedger(), ofLedger()]);
    assert.equal(headOf(beside), headOf(right));
    assert.equal(headOf(wrong), headOf(right));
    await rejected(invoices, wrong.accessToken);
    await rejected(orders, (await ofShop()).accessToken);
  });

  it('revokedTokens: gives tokens that were revoked', async () => {
    server.faults.revokedTokens();
    await rejected(orders, (await ofShop()).accessToken);
  });

  it('revoke: takes one token back', async () => {
    const [first, second] = [await ofShop(), await ofShop()];
    await server.revoke(first.accessToken, 'shop');
    await rejected(orders, first.accessToken);
    assert.equal((await orders.verify(second.accessToken)).principal.name, 'emma');
  });

  it('rotateKeys: signs with new keys, which an API fetches; compromised ones are taken back with their tokens', async () => {
    const kidOf = ({ accessToken }: { accessToken: string }) =>
      JSON.parse(Buffer.from(accessToken.split('.')[0] ?? '', 'base64url').toString()).kid;
    const kids = async () => {
      const { keys } = (await (await fetch(`${server.url}/oauth2/jwks`)).json()) as {
        keys: { kid: string }[];
      };
      return keys.map(({ kid }) => kid);
    };
    const old = await ofLedger();
    await server.rotateKeys();
    const next = await ofLedger();
    assert.notEqual(kidOf(next), kidOf(old));
    assert.deepEqual((await invoices.verify(next.accessToken)).scopes, ['read']);
    assert.ok((await kids()).includes(kidOf(old)));
    await server.rotateKeys({ compromised: true });
    const left = await kids();
    assert.deepEqual([left.includes(kidOf(old)), left.includes(kidOf(next))], [false, false]);
    assert.ok(left.includes(kidOf(await ofLedger())));
  });

  it('unavailable, unreachable, slow: answers so where it is told to, and never to the test itself', async () => {
    const get = (path: string) => fetch(`${server.url}${path}`);
    {
      using _ = server.faults.unavailable({ path: '/v1/tokeninfo' });
      const { accessToken } = await ofShop();
      await assert.rejects(orders.verify(accessToken), { name: 'AuthorizationServerUnavailable' });
      assert.equal((await get('/v1/tokeninfo')).status, 503);
      assert.equal((await get('/healthz')).status, 200);
    }
    assert.equal((await get('/v1/tokeninfo')).status, 401);
    {
      using _ = server.faults.unreachableKeys();
      await assert.rejects(get('/oauth2/jwks'), TypeError);
      assert.equal((await get('/healthz')).status, 200);
    }
    assert.equal((await get('/oauth2/jwks')).status, 200);
    const slow = server.faults.slow(60_000, { path: '/healthz' });
    await assert.rejects(fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
    });
    slow.end();
    server.faults.slow(1);
    assert.equal((await get('/healthz')).status, 200);
    const { accessToken } = await ofShop();
    assert.equal((await orders.verify(accessToken)).principal.name, 'emma');
  });
});

describe('the clock of a test server', () => {
  it('is that of the test: with it tokens expire', async () => {
    await using server = await startTestServer({ time: '2030-01-01T00:00:00Z' });
    const { accessToken } = await server.clientCredentials();
    const active = async () => {
      const { key, secret, url } = server.resourceServer;
      const headers = { authorization: `Basic ${btoa(`${key}:${secret}`)}` };
      return (await fetch(`${url}/v1/tokeninfo?access_token=${accessToken}`, { headers })).status;
    };
    server.advance(3599);
    assert.equal(await active(), 200);
    server.advance(2);
    assert.equal(await active(), 410);
    server.setTime(new Date('2030-01-01T00:30:00Z'));
    assert.equal(await active(), 200);
    assert.throws(() => server.advance(Number.NaN), TypeError);
    assert.throws(() => server.setTime('tomorrow'), TypeError);
  });
});

describe('test servers with one seed', () => {
  const seeded = { seed: 'orders', time: 0, resourceServers: [{ accessTokenFormat: 'jwt' }] } as const;
  const made = async (options: TestServerOptions) => {
    await using server = await startTestServer(options);
    const { accessToken } = await server.logIn({ user: 'emma', scope: 'openid' });
    const [, payload = ''] = accessToken.split('.');
    const { iss: _, aud: __, jti, sub, ...rest } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const keys = await (await fetch(`${server.url}/oauth2/jwks`)).json();
    return { ...server.client, ...server.resourceServer, url: undefined, jti, sub, rest, keys };
  };

  it('make the same secrets, keys and tokens, with all algorithms, and those of another seed others', async () => {
    const settings = { 'signing.algorithms': 'ES256,EdDSA,RS256' };
    const [first, second] = await Promise.all([made({ ...seeded, settings }), made({ ...seeded, settings })]);
    assert.deepEqual(first, second);
    assert.equal((first.keys as { keys: unknown[] }).keys.length, 3);
    const other = await made({ ...seeded, settings, seed: 'invoices' });
    assert.notEqual(other.clientSecret, first.clientSecret);
    assert.notEqual(other.jti, first.jti);
    assert.notEqual(other.sub, first.sub);
  });
});

describe('a test server that is none', () => {
  it('does not start in production, or where other machines could reach it', async () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      await assert.rejects(startTestServer(), {
        name: 'TestServerError',
        message: /^NODE_ENV is "production"/,
      });
    } finally {
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    }
    for (const [name, value] of [
      ['host', '0.0.0.0'],
      ['host', '::'],
      ['baseUrl', 'https://login.example.org'],
    ] as const) {
      const starting = startTestServer({ settings: { [name]: value, allowInsecureAuthentication: 'true' } });
      await assert.rejects(starting, {
        name: 'TestServerError',
        message: /can be reached by other machines/,
      });
    }
  });

  it('has no records where none are to be there', async () => {
    await using server = await startTestServer({ resourceServers: [] });
    assert.throws(() => server.resourceServer, /has no resource server: add one by addResourceServer/);
    await assert.rejects(server.logIn(), /it has none: add one by addClient/);
    await assert.rejects(server.addClient(), /it has none: add one by addResourceServer/);
  });

  it('has the login, the database and the sealing key that a test server has, whatever its settings say', async () => {
    for (const name of [
      'database',
      'authenticator',
      'authenticators',
      'signing.key',
      'signing.keyFile',
      'port',
    ]) {
      await assert.rejects(startTestServer({ settings: { [name]: 'x' } }), new RegExp(`settings: .*${name}`));
    }
  });
});

describe('the process of a test server', () => {
  it('starts no thread and no process, leaves no file, and connects to this machine alone', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-test-server-'));
    const { TMPDIR } = process.env;
    process.env.TMPDIR = folder;
    const started: string[] = [];
    const remote = new Set<string | undefined>();
    const watched = {
      child_process: () => started.push('a process'),
      worker_threads: () => started.push('a thread'),
      'net.client.socket': (message: unknown) => {
        const { socket } = message as { socket: Socket };
        socket.once('connect', () => remote.add(socket.remoteAddress));
      },
    };
    for (const [name, listener] of Object.entries(watched)) subscribe(name, listener);
    context.after(async () => {
      for (const [name, listener] of Object.entries(watched)) unsubscribe(name, listener);
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      await rm(folder, { recursive: true });
    });
    await useTestServer();
    assert.deepEqual([started, await readdir(folder)], [[], []]);
    assert.ok(remote.size > 0);
    assert.deepEqual(
      [...remote].filter((address) => !['127.0.0.1', '::1'].includes(address ?? '')),
      [],
    );
  });

  // The test before has the same, but for a file that is written elsewhere or is removed.
  slowTest(
    'writes no file, starts no thread and no process, and connects to this machine alone',
    async () => {
      const program = fileURLToPath(new URL('support/restricted.ts', import.meta.url));
      // Node.js alone writes there: the sources that it has compiled.
      const cache = fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url));
      const permissions = ['--permission', '--allow-fs-read=*', `--allow-fs-write=${cache}/*`, '--allow-net'];
      const args = ['--conditions=source', ...permissions, program];
      const env = { ...process.env, NODE_COMPILE_CACHE: cache };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const remote = JSON.parse(stdout);
      assert.deepEqual(
        remote.filter((address: string) => !['127.0.0.1', '::1'].includes(address)),
        [],
      );
      assert.ok(remote.length > 0);
    },
  );
});
