import {
  type ServerProcess,
  startFixedServer,
  startOAuth2Server,
  startOidcProvider,
} from '../contestants/server-process.ts';
import { ownServer, running } from '../contestants/temporary.ts';
import { tokenResponseOf } from '../load/flow-load.ts';
import { refreshTokens, rotations } from '../load/rotations.ts';
import { formRequest, refreshRequest, refreshTokenOf, sampleAnswer } from '../load/token-requests.ts';
import { connections, demoApp, oidcProviderFlows, watchwordFlows } from '../rounds/loads.ts';
import type { SuiteResult } from '../rounds/results.ts';
import { compareTokenServers, type TokenServer } from '../rounds/server-comparison.ts';

/**
 * Rotation of refresh tokens: each connection has a grant of its own, and asks with the refresh token of the answer before. All servers
 * replace the refresh token each time.
 */
export async function benchRefresh(): Promise<SuiteResult> {
  await using resources = new AsyncDisposableStack();
  const start = (starting: Promise<ServerProcess>) => running(resources, starting);
  const { process: own } = await ownServer(resources);
  const ownTokens = await refreshTokens(connections, () =>
    tokenResponseOf(watchwordFlows(own.port), demoApp),
  );
  const sampled = await tokenResponseOf(watchwordFlows(own.port), demoApp);
  const answer = await sampleAnswer(refreshRequest(own.port, refreshTokenOf(sampled), demoApp), own.port);
  const client = { ...demoApp, grantTypes: ['authorization_code', 'refresh_token'] };
  const provider = await start(startOidcProvider({ clients: [client], interactions: 'one' }));
  const library = await start(startOAuth2Server([{ ...demoApp, grantTypes: ['password', 'refresh_token'] }]));
  // Awaited here, because the servers stop when this function returns.
  return await compareTokenServers({
    name: 'refresh',
    title: 'Refresh',
    packages: ['fastify', 'oidc-provider', '@node-oauth/oauth2-server'],
    contestants: [
      contestant('node:http', await start(startFixedServer('bare-server', answer)), ownTokens),
      contestant('Fastify', await start(startFixedServer('fastify-server', answer)), ownTokens),
      contestant('Watchword', own, ownTokens),
      contestant(
        'oidc-provider',
        provider,
        await refreshTokens(connections, () => tokenResponseOf(oidcProviderFlows(provider.port), client)),
        '/token',
      ),
      contestant(
        '@node-oauth/oauth2-server',
        library,
        await refreshTokens(connections, () => passwordGrant(library.port)),
      ),
    ],
  });
}

/** The package has no pages, so its first refresh tokens come from the password grant. */
async function passwordGrant(port: number): Promise<string> {
  const request = formRequest(port, '/oauth2/token', demoApp, {
    grant_type: 'password',
    username: 'demo',
    password: 'demo',
  });
  return (await sampleAnswer(request, port)).body;
}

function contestant(name: string, server: ServerProcess, first: readonly string[], path?: string) {
  const asked: TokenServer = { ...server, requests: rotations(server.port, first, demoApp, path) };
  return { name, processes: [asked] };
}
