import { type ServerProcess, startFixedServer, startOidcProvider } from '../contestants/server-process.ts';
import { ownServer, running } from '../contestants/temporary.ts';
import {
  demoResourceServer,
  demoService,
  formRequest,
  issueTokens,
  sampleAnswer,
  tokenInfoRequest,
} from '../load/token-requests.ts';
import { connections } from '../rounds/loads.ts';
import type { SuiteResult } from '../rounds/results.ts';
import { compareTokenServers, type TokenServer } from '../rounds/server-comparison.ts';

const distinctTokens = 5000;

/** Token info: what a resource server asks about a token. At oidc-provider this is introspection (RFC 7662). */
export async function benchInfo(): Promise<SuiteResult> {
  await using resources = new AsyncDisposableStack();
  const { process: own } = await ownServer(resources);
  const tokens = await issueTokens(own.port, distinctTokens, connections);
  const requests = tokens.map((token) => tokenInfoRequest(own.port, token));
  const answer = await sampleAnswer(requests[0] as Buffer, own.port);
  const start = (starting: Promise<ServerProcess>) => running(resources, starting);
  const provider = await start(startOidcProvider({ clients: theirClients, interactions: 'two' }));
  // Awaited here, because the servers stop when this function returns.
  return await compareTokenServers({
    name: 'info',
    title: 'Token info',
    packages: ['fastify', 'oidc-provider'],
    contestants: [
      contestant('node:http', await start(startFixedServer('bare-server', answer)), requests),
      contestant('Fastify', await start(startFixedServer('fastify-server', answer)), requests),
      contestant('Watchword', own, requests),
      contestant('oidc-provider', provider, await introspections(provider)),
    ],
  });
}

const { key, secret } = demoResourceServer;
const theirs = { redirectUri: '', scope: 'read', grantTypes: ['client_credentials'] };
const theirClients = [
  { ...theirs, ...demoService },
  { ...theirs, clientId: key, secret },
];

async function introspections({ port }: ServerProcess): Promise<readonly Buffer[]> {
  const tokens = await issueTokens(port, distinctTokens, connections, demoService, '/token');
  return tokens.map((token) =>
    formRequest(port, '/token/introspection', { clientId: key, secret }, { token }),
  );
}

/** The requests in turn. */
function contestant(name: string, server: ServerProcess, requests: readonly Buffer[]) {
  let last = 0;
  const next = () => {
    last = (last + 1) % requests.length;
    return requests[last] as Buffer;
  };
  const asked: TokenServer = { ...server, requests: { next } };
  return { name, processes: [asked] };
}
