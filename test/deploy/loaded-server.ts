import { registerApplication } from '@watchword/server-testkit/clients/application';
import { applyConfiguration } from '@watchword/server-testkit/clients/managed-client';
import { startTraceReceiver } from '@watchword/server-testkit/neighbours/trace-receiver';
import {
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';

/** A server whose requests are all traced, and what loads it. */
export interface LoadedServer extends AsyncDisposable {
  readonly server: TestServer;
  /** Sends some requests of each kind, also such that are refused. */
  load(): Promise<void>;
}

export async function startLoadedServer(
  settings: Parameters<typeof startServer>[0] = {},
  on?: Parameters<typeof startServer>[1],
): Promise<LoadedServer> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await startTraceReceiver());
  const traced = { 'tracing.endpoint': receiver.endpoint, 'tracing.ratio': '1' };
  const usual = { authenticators: 'form,password', 'signing.algorithms': 'ES256', 'purge.interval': '1' };
  const server = opened.use(await startServer({ ...usual, ...traced, ...settings }, on));
  const app = await registerApplication(server, { openidScopes: ['profile'] });
  await applyConfiguration(server);
  const form = { scope: 'openid read', nonce: 'n', authenticator_hint: 'form' };
  const resources = opened.move();
  return {
    server,
    async load() {
      const { access_token: token, refresh_token: refreshToken } = await app.obtainTokens(form);
      await app.refresh(refreshToken);
      const own = await server.issueToken();
      for (const each of [token, own, 'unknown']) {
        await server.post('/v1/tokeninfo', { access_token: each }, demoResourceServer);
      }
      await server.post('/oauth2/introspect', { token }, app.credentials);
      await server.post('/oauth2/revoke', { token: own }, demoClient);
      await server.post('/oauth2/token', { grant_type: 'client_credentials' }, 'demo-service:wrong');
      for (const path of ['/unknown', '/healthz', '/readyz', '/metrics', '/oauth2/revocations']) {
        await server.get(path);
      }
      const agent = new UserAgent();
      const page = await app.open({ authenticator_hint: 'password' }, agent);
      await agent.submit(page, { username: 'emma', password: 'wrong' });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
