import assert from 'node:assert/strict';
import { KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { localAdministration } from '@watchword/cli/administration/local/administration';
import { secretsOf } from '@watchword/cli/doctor/secrets';
import { administrationKey, type ClientRegistration } from '@watchword/protocol';
import { loadConfiguration } from '@watchword/server/config/load';
import { systemClock } from '@watchword/server/system';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildClient, slowTest } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { ClientKey } from '@watchword/testkit/client-key';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';
import { addressOf } from '../src/checks/address.ts';
import { isBroken, type NamedFinding } from '../src/finding.ts';
import { playFlow, preflightFindings } from '../src/flow/play-flow.ts';
import { redirectUriFindings } from '../src/flow/redirect-uris.ts';
import { profileFindings, registrationFindings, registrationOf } from '../src/flow/registration.ts';
import { tokenQuestionOf } from '../src/flow/token-question.ts';
import type { SecretName } from '../src/secrets.ts';
import { sender } from '../src/send.ts';
import { type Fault, startFaultyProxy } from './support/faulty-proxy.ts';

const onDevice = 'http://127.0.0.1:8081/callback';
const resourceServerSecret = 'demo-resource-server-secret';

describe('watchword doctor with a client', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  async function register(registration: Partial<ClientRegistration>, at = server, key?: string) {
    const fields = {
      scopes: ['read'],
      redirectUris: [onDevice],
      allowedClientCredentials: false,
      ...registration,
    };
    const { client, secret } = await registerClient(at, fields, key);
    return { id: client.clientId, secret: secret ?? '' };
  }

  async function played(
    args: readonly string[],
    lines: Readonly<Record<string, string>> = {},
    from: TestServer = server,
  ) {
    const url = ['--base-url', from.service.baseUrl, '--host', '127.0.0.1', '--port', `${from.port}`];
    const names = Object.entries(lines).map(([name, value]) => `WATCHWORD_DOCTOR_${name}=${value}`);
    const { code, stdout, stderr } = await watchword(
      ['doctor', '--json', ...args, ...url, '--database', from.database, '--secrets-stdin'],
      { stdin: `${names.length === 0 ? 'WATCHWORD_DOCTOR_PASSWORD=' : names.join('\n')}\n` },
    );
    assert.equal(stderr, '');
    for (const secret of Object.values(lines)) if (secret !== '') assert.ok(!stdout.includes(secret));
    const { findings, firstBreak } = JSON.parse(stdout);
    const all: readonly NamedFinding[] = findings;
    const flow = all.slice(all.findIndex(({ check }) => check === 'registration'));
    return { code, firstBreak, flow, said: inWords(flow), stdout };
  }

  /** Plays the flow without the command, which would examine the server before. */
  async function playedAlone(
    clientId: string,
    {
      login,
      key,
      secrets = {},
    }: { login?: string; key?: ClientKey; secrets?: Partial<Record<SecretName, string>> } = {},
  ) {
    const { baseUrl, store } = server.service;
    const flags = { baseUrl, database: server.database };
    const { configuration } = await loadConfiguration({ flags, environment: {}, file: undefined });
    const records = await localAdministration(store, configuration);
    const patient = { baseUrl, localUrl: undefined, configuration, sealer: undefined };
    const at = { ...patient, clock: systemClock, send: sender(systemClock), echo: undefined };
    const { metadata = assert.fail('no metadata') } = await addressOf(at);
    const flow: NamedFinding[] = [];
    await playFlow(
      await registrationOf(clientId, records),
      { ...at, metadata },
      {
        options: { login, authenticator: undefined },
        configuration,
        secrets: { find: async (name) => secrets[name], [Symbol.dispose]() {} },
        clientKey: key && KeyObject.from(key.privateKey),
        clientAssertion: undefined,
        add: (finding) => flow.push(finding),
      },
    );
    return { flow, said: inWords(flow), firstBreak: flow.find(isBroken)?.check ?? null };
  }

  const inWords = (findings: readonly NamedFinding[]) =>
    findings
      .map(({ check, verdict, found, advice }) => `${check} ${verdict}: ${found} -> ${advice}`)
      .join('\n');
  const checksOf = (findings: readonly NamedFinding[]) => [...new Set(findings.map(({ check }) => check))];

  it('logs a user in, gets tokens, refreshes, asks what they permit and revokes them, and exits with 0', async () => {
    const { id, secret } = await register({ useRefreshTokens: true, openidScopes: ['profile'] });
    const lines = { CLIENT_SECRET: secret, RESOURCE_SERVER_SECRET: resourceServerSecret };
    const { code, flow, said, stdout } = await played([id, '--login', 'emma'], lines);
    assert.equal(code, 0, said);
    assert.deepEqual(checksOf(flow), [
      'registration',
      'redirect-uri',
      'authorization',
      'login-page',
      'login',
      'consent',
      'answer',
      'token',
      'id-token',
      'token-info',
      'api',
      'userinfo',
      'refresh',
      'revocation',
    ]);
    assert.match(
      said,
      /^token-info ok: demo-resource-server learns that the token is of .*, with the scopes read/m,
    );
    assert.match(
      said,
      /^api ok: an API can verify tokens as demo-resource-server: tokens are opaque; token info has no type/m,
    );
    assert.match(said, /^revocation ok: the token is revoked, and no longer valid/m);
    assert.doesNotMatch(stdout, /wwa_|wwr_|eyJ|code=|state=/);
    const { listed } = await tokensAndSessions(id);
    assert.deepEqual(listed, { accessTokens: 0, grants: 0 });
  });

  slowTest('plays the flow to its end under each profile, naming the resource', async () => {
    for (const profile of ['oauth-2.1', 'mcp']) {
      await using strict = await startServer({ profile });
      const of = { scopes: ['read'], resources: ['https://api.example/'] };
      const { resourceServer, secret: itsSecret = '' } = await registerResourceServer(strict, 'API', of);
      const registration = { useRefreshTokens: true, allowedClientCredentials: true };
      const { id, secret } = await register(registration, strict, resourceServer.key);
      const lines = { CLIENT_SECRET: secret, RESOURCE_SERVER_SECRET: itsSecret };
      const { code, said } = await played([id, '--login', 'emma'], lines, strict);
      assert.equal(code, 0, said);
      assert.match(said, /^refresh ok/m);
    }
  });

  slowTest(
    'plays the flow to its end where FAPI 2.0 holds, which demands proofs of every client',
    async () => {
      await using strict = await startServer({ profile: 'fapi-2.0', 'signing.algorithms': 'ES256' });
      await using directory = await temporaryDirectory();
      const key = await ClientKey.create('EdDSA');
      const jwk = KeyObject.from(key.privateKey).export({ format: 'jwk' });
      await writeFile(directory.file('key.json'), JSON.stringify(jwk));
      const registration = {
        ...{
          useRefreshTokens: true,
          openidScopes: ['profile' as const],
          tokenEndpointAuthMethod: 'private_key_jwt' as const,
        },
        jwks: { keys: [key.jwk] },
      };
      const { id } = await register(registration, strict);
      const args = [id, '--login', 'emma', '--client-key', directory.file('key.json')];
      const { code, said } = await played(args, {}, strict);
      assert.equal(code, 0, said);
      assert.match(said, /^token ok: the client gets a token of the type DPoP/m);
    },
  );

  /** What is left of a client after its flow. */
  async function tokensAndSessions(clientId: string) {
    const list = async (of: string) => {
      const { stdout } = await watchword([
        of,
        'list',
        '--client',
        clientId,
        '--json',
        '--database',
        server.database,
      ]);
      return JSON.parse(stdout);
    };
    const accessTokens = (await list('token')).length;
    const grants = (await list('grant')).filter((grant: { lastUsed: unknown }) => grant.lastUsed !== null);
    return { listed: { accessTokens, grants: grants.length } };
  }

  it('ends at the login page without --login', async () => {
    const { id } = await register({});
    const { firstBreak, flow, said } = await playedAlone(id);
    assert.equal(firstBreak, null);
    assert.equal(checksOf(flow).at(-1), 'login');
    assert.match(said, /^login skipped: no user logs in -> add --login <username>/m);
  });

  slowTest(
    'plays the flow of a public client, and needs the secret of the resource server to ask about its token',
    async () => {
      const { id } = await register({ confidential: false });
      const without = await played([id, '--login', 'emma']);
      assert.equal(without.code, 0, without.said);
      assert.match(without.said, /^cors ok: scripts of http:\/\/127\.0\.0\.1:8081 can send token requests/m);
      assert.match(
        without.said,
        /^token-info skipped: .* -> set WATCHWORD_DOCTOR_RESOURCE_SERVER_SECRET, the secret of demo-resource-server/m,
      );
      assert.match(without.said, /^revocation ok: the token is revoked/m);
      const { said } = await played([id, '--login', 'emma'], {
        RESOURCE_SERVER_SECRET: resourceServerSecret,
      });
      assert.match(said, /^token-info ok: demo-resource-server learns/m);
    },
  );

  it('plays the implicit grant of a client that is registered for it', async () => {
    const { id } = await register({ confidential: false, allowedImplicitGrant: true });
    const secrets = { resourceServer: resourceServerSecret };
    const { firstBreak, said } = await playedAlone(id, { login: 'emma', secrets });
    assert.equal(firstBreak, null, said);
    assert.match(said, /^answer ok: the browser brings the access_token to/m);
    assert.match(said, /^revocation ok: the token is revoked, and no longer valid/m);
  });

  it('plays the flow of a client by its private key, with the proofs and the pushed request that it owes, and says which key it needs', async () => {
    await using directory = await temporaryDirectory();
    const own = await ClientKey.create('ES256', 'k');
    const file = directory.file('own.pem');
    await writeFile(file, KeyObject.from(own.privateKey).export({ type: 'pkcs8', format: 'pem' }));
    const demands = { requirePushedAuthorizationRequests: true, dpopBoundAccessTokens: true };
    const { id } = await register({
      ...{ ...demands, useRefreshTokens: true, openidScopes: ['profile'] },
      ...{ tokenEndpointAuthMethod: 'private_key_jwt', tokenEndpointAuthSigningAlg: 'ES256' },
      jwks: { keys: [own.jwk] },
    });
    const { code, said, flow } = await played([id, '--login', 'emma', '--client-key', file]);
    assert.equal(code, 0, said);
    assert.deepEqual(
      checksOf(flow).filter((each) => /key|pushed|^token$|userinfo|refresh|revocation/.test(each)),
      ['client-key', 'pushed-request', 'token', 'userinfo', 'refresh', 'revocation'],
    );
    assert.match(
      said,
      /^client-key ok: the private key belongs to the registered key "k", and signs by ES256/m,
    );
    assert.match(said, /^token ok: the client gets a token of the type DPoP/m);
    const wrong = await playedAlone(id, { key: await ClientKey.create('ES256', 'k') });
    assert.equal(wrong.firstBreak, 'client-key');
    assert.match(
      wrong.said,
      /client-key broken: the private key belongs to none of the 1 registered key of .* --jwks public\.pem/,
    );
    const without = await playedAlone(id);
    assert.match(without.said, /^client-key skipped: the private key of .* -> .* by --client-key/m);
  });

  it('plays the flow of a client by the assertion of its issuer, and names the command that says why it is refused', async () => {
    await using directory = await temporaryDirectory();
    const cluster = await ClientKey.create('ES256', 'cluster');
    const issuer = { issuer: 'https://cluster.example', audience: 'a', subject: 's' };
    const { id } = await register({
      ...{ redirectUris: [], allowedClientCredentials: true, tokenEndpointAuthMethod: 'assertion_issuer' },
      assertionIssuers: [{ ...issuer, jwks: { keys: [cluster.jwk] }, jwksUri: '' }],
    });
    const exp = Math.floor(Date.now() / 1000) + 600;
    const playedWith = async (claims: object) => {
      const assertion = await cluster.sign({ iss: issuer.issuer, aud: 'a', exp, ...claims });
      await writeFile(directory.file('token'), `${assertion}\n`);
      const result = await played([id, '--client-assertion', directory.file('token')]);
      assert.ok(!result.stdout.includes(assertion));
      return result;
    };
    const { code, said } = await playedWith({ sub: 's' });
    assert.equal(code, 0, said);
    assert.match(said, /^token ok/m);
    const refused = await playedWith({ sub: 'other' });
    assert.match(
      refused.said,
      /^token broken: .*invalid_client.* -> watchword client errors \S+ --url http:\S+ shows the reason/m,
    );
  });

  it('plays client credentials, and asks about the token as the client itself', async () => {
    const { id, secret } = await register({ redirectUris: [], allowedClientCredentials: true });
    const { firstBreak, said } = await playedAlone(id, { secrets: { client: secret } });
    assert.equal(firstBreak, null, said);
    assert.match(said, /^token ok: the client gets a token of the type bearer, with the scope read/m);
    assert.match(said, /^token-info ok: the token is active, .* asked by the client itself/m);
    const without = await playedAlone(id);
    assert.match(
      without.said,
      /^client-credentials skipped: the secret of .* -> set WATCHWORD_DOCTOR_CLIENT_SECRET/m,
    );
  });

  it('stops at a wrong secret, and says how to make one more', async () => {
    const { id } = await register({ redirectUris: [], allowedClientCredentials: true });
    const { code, firstBreak, flow, said } = await played([id], { CLIENT_SECRET: 'a-wrong-secret' });
    assert.deepEqual([code, firstBreak, flow.at(-1)?.check], [1, 'token', 'token']);
    assert.match(said, new RegExp(`error invalid_client.* -> the secret is wrong.*add-secret ${id}`));
  });

  it('stops at the wrong secret of a resource server, and revokes the token all the same', async () => {
    const { id, secret } = await register({ redirectUris: [], allowedClientCredentials: true });
    const secrets = { client: secret, resourceServer: 'a-wrong-secret' };
    const { firstBreak, said } = await playedAlone(id, { secrets });
    assert.equal(firstBreak, 'token-info');
    assert.match(said, /gets status 401.*"watchword resource-server rotate-secret demo-resource-server"/);
    assert.equal((await tokensAndSessions(id)).listed.accessTokens, 0);
  });

  it('stops at a registration with which no token can be had', async () => {
    const none = await register({ redirectUris: [] });
    const { firstBreak, said } = await playedAlone(none.id, { login: 'emma' });
    assert.equal(firstBreak, 'registration');
    assert.match(said, /is registered for no grant -> watchword client update \S+ --redirect-uri/);
    const { id } = await register({ confidential: false });
    const update = ['client', 'update', id, '--confidential', 'true', '--database', server.database];
    await watchword(update);
    const lacking = await playedAlone(id);
    assert.match(lacking.said, new RegExp(`has no secret -> watchword client rotate-secret ${id}`));
  });

  it('warns of what the client lacks for the profile of the server, unless it only administers', () => {
    const client = buildClient({ clientId: 'job', dpopBoundAccessTokens: true });
    const found = (resourceServer: string, profile: string) =>
      profileFindings({ client, resourceServer, server: { configuration: { profile } } } as never);
    const [lack, ...others] = found('my-api', 'fapi-2.0');
    assert.deepEqual([lack?.verdict, others], ['warning', []]);
    assert.match(lack?.found ?? '', /^tokenEndpointAuthMethod is not private_key_jwt, .*fapi-2\.0/);
    assert.match(lack?.advice ?? '', / watchword client update job .*private_key_jwt --jwks FILE$/);
    assert.deepEqual([found(administrationKey, 'fapi-2.0'), found('my-api', 'compatible')], [[], []]);
  });

  slowTest(
    'quotes names of records for the shell, and shows none that could control the terminal',
    async () => {
      const client = {
        clientId: '$(id)',
        lacksSecret: true,
        redirectUris: [],
        allowedClientCredentials: false,
      };
      const found = registrationFindings({ client, resourceServer: undefined } as never);
      assert.deepEqual(
        found.map(({ advice }) => advice?.slice(0, 42)),
        ["watchword client rotate-secret '$(id)'", "watchword client update '$(id)' --redirect"],
      );
      const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
      using secrets = await secretsOf({ env: {}, stdin, stderr } as never, false);
      stdin.end('secret\n');
      assert.equal(await secrets.find('client', '\u001B[2J'), 'secret');
      stderr.end();
      assert.equal(await text(stderr), 'Secret of the client \\u001b[2J: \n');
    },
  );

  slowTest('stops at a redirect URI that is down', async () => {
    const host = `0.0.0.0:${await freePort()}`;
    const { id } = await register({ redirectUris: [`https://${host}/cb`] });
    const { firstBreak, said } = await played([id, '--outbound-private-hosts', host]);
    assert.equal(firstBreak, 'redirect-uri');
    assert.match(said, /is not reachable: .*ECONNREFUSED -> start the application/);
  });

  it('requests no redirect URI in a private network unless it is permitted, and says what is wrong with TLS', async () => {
    await using site = await startSite((_, response) => response.end(), testKey('app.example'));
    const uri = site.url.replace('127.0.0.1', '0.0.0.0');
    const registration = {
      client: { redirectUris: [uri, 'com.example.app:/cb', onDevice] },
      resourceServer: 'x',
    };
    const findings = (hosts: readonly string[]) =>
      redirectUriFindings(registration as never, { 'outbound.privateHosts': hosts });
    const [closed, ...others] = await findings([]);
    assert.deepEqual(
      [closed, ...others].map((finding) => finding?.verdict),
      ['skipped', 'skipped', 'skipped'],
    );
    assert.match(String(closed?.advice), /outbound\.privateHosts/);
    assert.equal(site.requests.length, 0);
    const [open] = await findings([new URL(uri).host]);
    assert.match(
      `${open?.found} ${open?.advice}`,
      /TLS with .* failed.* install a certificate at the application/,
    );
  });

  slowTest('says that a proxy answers the preflight of an application in the browser', async () => {
    await using proxy = await startFaultyProxy();
    proxy.server = server.port;
    proxy.fault = { instead: (method) => (method === 'OPTIONS' ? [405] : undefined) };
    const flow = {
      client: { confidential: false, redirectUris: ['https://app.example/cb'] },
      server: { metadata: { token_endpoint: `${proxy.url}/oauth2/token` }, send: sender(systemClock) },
    };
    const [finding] = await preflightFindings(flow as never);
    assert.equal(finding?.verdict, 'warning');
    assert.match(`${finding?.found} -> ${finding?.advice}`, /status 405 .* -> let the proxy pass OPTIONS/);
  });

  it('says what keeps an API from verifying tokens as its resource server', async () => {
    await using proxy = await startFaultyProxy();
    proxy.server = server.port;
    const { resourceServer, secret } = await registerResourceServer(server, 'Behind a proxy', {
      accessTokenFormat: 'jwt',
    });
    const said = async (fault: Fault, known = secret) => {
      proxy.fault = fault;
      const find = async () => known;
      const patient = { baseUrl: proxy.url, send: sender(systemClock) };
      const flow = { resourceServer: resourceServer.key, secrets: { find }, server: patient };
      const question = await tokenQuestionOf({ isConfidential: true } as never, flow as never);
      const findings = (await question?.apiFindings?.()) ?? [];
      assert.ok(!JSON.stringify(findings).includes(known.trim()));
      return inWords(findings.map((finding) => ({ check: 'api', ...finding })));
    };
    const rewritten: Fault = { text: (text) => text.replaceAll(server.service.baseUrl, proxy.url) };
    // The list is signed, so its issuer stays that of the server.
    assert.match(await said(rewritten), /^api broken: .* its list of revocations states .* -> set url/);
    assert.match(await said({}), /^api broken: .* its metadata states .* -> set url/);
    const withoutList: Fault = {
      ...rewritten,
      instead: (_, path) => (path === '/oauth2/revocations' ? [502] : undefined),
    };
    assert.match(await said(withoutList), /^api warning: each JWT is a lookup: .* answered 502 -> look at/);
    assert.match(await said(rewritten, `${secret} `), /^api broken: The options .*secret: expected text/s);
  });

  it('asks for the secrets at a terminal', async () => {
    const { id, secret } = await register({ redirectUris: [], allowedClientCredentials: true });
    const args = ['doctor', id, '--base-url', server.service.baseUrl, '--database', server.database];
    const { code, stdout, stderr } = await watchword(args, { stdin: `${secret}\n\n`, isTyped: true });
    assert.equal(code, 0, stdout);
    assert.match(stderr, new RegExp(`Secret of the client ${id}: `));
    assert.match(stdout, /✓ token: the client gets a token/);
  });

  it('reports an unknown client, and exits with 1', async () => {
    const { code, stderr } = await watchword(['doctor', 'nobody', '--database', server.database]);
    assert.equal(code, 1);
    assert.match(stderr, /There is no client with this clientId/);
  });

  it('rejects other text on standard input than secrets, and does not repeat it', async () => {
    const { code, stderr } = await watchword(
      [
        'doctor',
        'demo-app',
        '--secrets-stdin',
        '--base-url',
        server.service.baseUrl,
        '--database',
        server.database,
      ],
      { stdin: 'PASSWORD=hunter2\n' },
    );
    assert.equal(code, 2);
    assert.match(stderr, /--secrets-stdin: expected lines with WATCHWORD_DOCTOR_CLIENT_SECRET=/);
    assert.doesNotMatch(stderr, /hunter2/);
  });

  slowTest(
    'stops at a wrong password, and logs in with the right one, also with the registration of a server',
    async () => {
      await using accounts: AccountServer = await startAccountServer();
      await accounts.addAccount('emma');
      const play = (password: string) =>
        watchword(
          [
            'doctor',
            'demo-app',
            '--login',
            'emma',
            '--base-url',
            accounts.service.baseUrl,
            '--database',
            accounts.database,
          ],
          {
            env: {
              WATCHWORD_DOCTOR_PASSWORD: password,
              WATCHWORD_DOCTOR_CLIENT_SECRET: 'demo-app-client-secret',
            },
          },
        );
      const wrong = await play('wrong horse');
      assert.equal(wrong.code, 1);
      assert.match(wrong.stdout, /^✗ login: the login of emma is answered with status 4\d\d: ".+"$/m);
      assert.match(wrong.stdout, /\nThe first break is login: /);
      const right = await play('correct horse battery');
      assert.equal(right.code, 0, right.stdout);
      assert.match(right.stdout, /^✓ revocation: /m);
      const url = ['--url', accounts.service.baseUrl];
      const { token } = await accounts.logIn('root');
      const remote = await watchword(['doctor', 'demo-app', '--login', 'emma', ...url], {
        env: {
          WATCHWORD_ADMIN_TOKEN: token,
          WATCHWORD_DOCTOR_CLIENT_SECRET: 'demo-app-client-secret',
          WATCHWORD_DOCTOR_PASSWORD: 'correct horse battery',
        },
      });
      assert.equal(remote.code, 0, remote.stdout + remote.stderr);
      assert.match(remote.stdout, /^✓ registration: demo-app is a confidential client/m);
      assert.match(remote.stdout, /^✓ revocation: /m);
      const unknown = await watchword(['doctor', 'demo-app', ...url]);
      assert.equal(unknown.code, 2);
      assert.match(unknown.stderr, /expected a login or credentials/);
      assert.doesNotMatch(right.stdout + wrong.stdout, /horse|demo-app-client-secret|wwa_/);
    },
  );
});
