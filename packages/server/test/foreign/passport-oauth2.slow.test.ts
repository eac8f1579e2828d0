import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  isActive,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { Passport } from 'passport';
import { Strategy, TokenError } from 'passport-oauth2';

// In `npm test`, openid-client.test.ts has another client of this kind.
describe('passport-oauth2, an independent client library', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.[Symbol.asyncDispose]());

  for (const kind of ['confidential', 'public'] as const) {
    it(`logs a user in at a website that is a ${kind} client, with state and PKCE`, async () => {
      await using deps = await websiteOf(server, kind);
      const { user } = await deps.visit();
      assert.equal(user?.parameters.scope, 'read');
      assert.ok(await isActive(server, user?.accessToken ?? ''));
      assert.equal(user?.refreshToken === undefined, kind === 'public');
    });
  }

  it('reads a denial of the user', async () => {
    await using deps = await websiteOf(server, 'confidential');
    const { user, info } = await deps.visit({ decision: 'deny' });
    assert.equal(user, undefined);
    assert.match(info?.message ?? '', /denied/);
  });

  it('reads an error of the token endpoint', async () => {
    await using deps = await websiteOf(server, 'confidential', { secret: 'wrong' });
    const { error } = await deps.visit();
    assert.ok(error instanceof TokenError, String(error));
    assert.equal(error.code, 'invalid_client');
  });
});

interface LoggedIn {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly parameters: Record<string, unknown>;
}

interface Outcome {
  readonly error?: unknown;
  readonly user?: LoggedIn | undefined;
  readonly info?: { readonly message?: string };
}

/** A small website with logins by this server. */
async function websiteOf(
  server: TestServer,
  kind: 'confidential' | 'public',
  overrides: { secret?: string } = {},
) {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const home = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const callbackURL = `${home}/callback`;
  const app = await registerApplication(server, {
    redirectUris: [callbackURL],
    allowedImplicitGrant: kind === 'public',
  });
  let outcome: Outcome = {};
  const passport = passportFor(server, app, callbackURL, overrides.secret);
  const authenticate = passport.authenticate('oauth2', { session: false }, (error, user, info) => {
    outcome = { error, user: (user || undefined) as LoggedIn, info: info as { message?: string } };
  });
  // passport-oauth2 keeps state and verifier in the session of the website; here it has one visitor.
  const session = {};
  http.on('request', (request: IncomingMessage & { query?: object; session?: object }, response) => {
    const { searchParams } = new URL(request.url ?? '', home);
    request.query = Object.fromEntries(searchParams);
    request.session = session;
    const before = outcome;
    authenticate(request, response, () => {});
    if (searchParams.size === 0) return;
    const answer = () => (outcome === before ? setImmediate(answer) : response.end('done'));
    answer();
  });

  return {
    /** A visitor logs in. Resolves with the result at the website. */
    async visit(answers: ResourceOwnerAnswers = {}): Promise<Outcome> {
      const agent = new UserAgent();
      const { location = '' } = await agent.get(home);
      const back = await followFlow(agent, location, answers);
      await agent.get(back.location);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      http.close();
      http.closeAllConnections();
    },
  };
}

function passportFor(
  server: TestServer,
  { client, credentials }: Application,
  callbackURL: string,
  secret = credentials?.split(':')[1] ?? '',
): Passport {
  const passport = new Passport();
  const options = {
    authorizationURL: `${server.baseUrl}/authorize`,
    tokenURL: `${server.baseUrl}/oauth2/token`,
    clientID: client.clientId,
    clientSecret: secret,
    callbackURL,
    scope: ['read'],
    state: true,
    pkce: true,
  };
  passport.use(
    new Strategy(options, (accessToken, refreshToken, parameters, _profile, verified) =>
      verified(null, { accessToken, refreshToken, parameters }),
    ),
  );
  return passport;
}
