import {
  type ServerProcess,
  startFixedServer,
  startOAuth2Server,
  startOidcProvider,
} from '../contestants/server-process.ts';
import { ownServer, running } from '../contestants/temporary.ts';
import { demoService, sampleAnswer, tokenRequest } from '../load/token-requests.ts';
import type { SuiteResult } from '../rounds/results.ts';
import { compareTokenServers, type TokenServer } from '../rounds/server-comparison.ts';
import { compareTokens } from './token/comparison.ts';

/** Token issue by client credentials: Watchword with its database on disk, the others with everything in memory. */
export async function benchToken([before]: readonly string[]): Promise<SuiteResult | undefined> {
  if (before !== undefined) {
    await compareTokens(before);
    return undefined;
  }
  await using resources = new AsyncDisposableStack();
  const { process: own } = await ownServer(resources);
  const answer = await sampleAnswer(tokenRequest(own.port), own.port);
  const client = { ...demoService, grantTypes: ['client_credentials'] };
  const start = (starting: Promise<ServerProcess>) => running(resources, starting);
  const contestants = [
    contestant('node:http', await start(startFixedServer('bare-server', answer))),
    contestant('Fastify', await start(startFixedServer('fastify-server', answer))),
    contestant('Watchword', own),
    contestant(
      'oidc-provider',
      await start(
        startOidcProvider({
          clients: [{ ...client, redirectUri: '', scope: 'read' }],
          interactions: 'two',
        }),
      ),
      '/token',
    ),
    contestant('@node-oauth/oauth2-server', await start(startOAuth2Server([client]))),
  ];
  // Awaited here, because the servers stop when this function returns.
  return await compareTokenServers({
    name: 'token',
    title: 'Token issue',
    packages: ['fastify', 'oidc-provider', '@node-oauth/oauth2-server'],
    contestants,
  });
}

function contestant(name: string, server: ServerProcess, path?: string) {
  const request = tokenRequest(server.port, demoService, path);
  const asked: TokenServer = { ...server, requests: { next: () => request } };
  return { name, processes: [asked] };
}
