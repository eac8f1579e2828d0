import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { registerClient, registerResourceServer, untilKnown } from '../contestants/checkouts.ts';
import {
  type ServerProcess,
  startOidcProvider,
  startWatchword,
  watchword,
} from '../contestants/server-process.ts';
import {
  type FlowClient,
  type FlowServer,
  flowLoad,
  type IdTokenAlgorithm,
  tokenResponseOf,
} from '../load/flow-load.ts';
import {
  issueTokens,
  type RegisteredClient,
  type RegisteredResourceServer,
  tokenInfoRequest,
  tokenRequest,
} from '../load/token-requests.ts';
import { connections, oidcProviderFlows, requestLoad, watchwordFlows } from '../rounds/loads.ts';
import { type Contestant, machine, measureInRounds, roundMs } from '../rounds/rounds.ts';
import { measureBareSignatures } from './openid/bare-signatures.ts';

const defaultRounds = 15;
const distinctTokens = 5000;
const algorithms: readonly IdTokenAlgorithm[] = ['EdDSA', 'ES256', 'RS256'];
const redirectUri = 'https://client.example/callback';

/** A server that a client logs users in at. */
interface LoginServer extends ServerProcess {
  readonly server: FlowServer;
  readonly client: FlowClient;
}

/** A Watchword server of one algorithm, with a client of each format of access tokens. */
interface OurServer extends LoginServer {
  readonly algorithm: IdTokenAlgorithm;
  readonly opaque: Service;
  readonly jwt: Service;
}

/** A client that acts for itself, and its resource server. */
interface Service {
  readonly client: RegisteredClient;
  readonly resourceServer?: RegisteredResourceServer;
}

/** A server whose clients ask for tokens, or whose resource servers ask for token info. */
interface TokenServer extends ServerProcess {
  readonly nextRequest: () => Buffer;
}

/**
 * Authorization code flows with ID tokens beside oidc-provider, and access tokens that are JWTs beside opaque ones, for EdDSA, ES256
 * and RS256: all in one run, in turn, from one generator. Watchword has its database in a file with `synchronous=FULL`;
 * oidc-provider keeps everything in memory.
 *
 * @param args how many rounds
 */
export async function benchOpenid([rounds = String(defaultRounds)]: readonly string[]): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  resources.defer(() => rm(directory, { recursive: true }));
  // The first start of a checkout fills the compile cache.
  await (await startWatchword(directory, 'warm-up.db')).stop();
  const ours: OurServer[] = [];
  for (const algorithm of algorithms) {
    const process = await startWatchword(directory, `${algorithm}.db`, [
      ...['--demo', '--signing-algorithms', algorithm],
    ]);
    resources.defer(() => process.stop());
    ours.push(await ourServer(process, join(directory, `${algorithm}.db`), algorithm));
  }
  const clients = ours.map(theirClient);
  const two = await startOidcProvider({ clients, interactions: 'two' });
  resources.defer(() => two.stop());
  const one = await startOidcProvider({ clients, interactions: 'one' });
  resources.defer(() => one.stop());
  console.log(await machine());
  console.log(`${connections} at a time, ${rounds} rounds of ${roundMs / 1000} s each, medians (range)\n`);
  measureBareSignatures(algorithms, Number(rounds));
  await compareFlows(ours, two, one, Number(rounds));
  await compareTokens(ours, Number(rounds));
}

async function compareFlows(
  ours: readonly OurServer[],
  two: ServerProcess,
  one: ServerProcess,
  rounds: number,
): Promise<void> {
  const contestants: Contestant<LoginServer>[] = ours.flatMap((own) => [
    { name: `Watchword, ${own.algorithm}`, processes: [own] },
    { name: `two interactions, ${own.algorithm}`, processes: [loginServer(two, own)] },
    { name: `one interaction, ${own.algorithm}`, processes: [loginServer(one, own)] },
  ]);
  for (const { name, processes } of contestants) {
    for (const process of processes) await checkIdToken(name, process);
  }
  await measureInRounds(
    {
      name: 'code flow with an ID token; one and two interactions are those of oidc-provider',
      contestants,
      load: ({ server, client }, durationMs) =>
        flowLoad(server, client, { concurrency: connections, durationMs }),
    },
    rounds,
    algorithms.flatMap((algorithm) => [
      [`Watchword, ${algorithm}`, `two interactions, ${algorithm}`] as const,
      [`Watchword, ${algorithm}`, `one interaction, ${algorithm}`] as const,
    ]),
  );
}

async function compareTokens(ours: readonly OurServer[], rounds: number): Promise<void> {
  const [first] = ours;
  if (first === undefined) return;
  const services = [
    { name: 'opaque', server: first, service: first.opaque },
    ...ours.map((server) => ({ name: `JWT, ${server.algorithm}`, server, service: server.jwt })),
  ];
  const comparisons = services.slice(1).map(({ name }) => [name, 'opaque'] as const);
  const load = ({ port, nextRequest }: TokenServer, forMs: number) => requestLoad(port, forMs, nextRequest);
  const issuing = services.map(({ name, server, service }) => {
    const request = tokenRequest(server.port, service.client);
    return { name, processes: [{ ...server, nextRequest: () => request }] };
  });
  await measureInRounds({ name: 'token issue', contestants: issuing, load }, rounds, comparisons);
  const asking: Contestant<TokenServer>[] = [];
  for (const { name, server, service } of services) {
    const tokens = await issueTokens(server.port, distinctTokens, connections, service.client);
    const requests = tokens.map((token) => tokenInfoRequest(server.port, token, service.resourceServer));
    let next = 0;
    const nextRequest = () => {
      next = (next + 1) % requests.length;
      return requests[next] as Buffer;
    };
    asking.push({ name, processes: [{ ...server, nextRequest }] });
  }
  await measureInRounds({ name: 'token info', contestants: asking, load }, rounds, comparisons);
}

/** Registers the clients at a server that has just started. */
async function ourServer(
  process: ServerProcess,
  database: string,
  algorithm: IdTokenAlgorithm,
): Promise<OurServer> {
  const app = await registerClient(watchword, database, ['--redirect-uri', redirectUri]);
  const client = { ...app, redirectUri, scope: 'read', idTokenAlgorithm: algorithm };
  const server = watchwordFlows(process.port);
  const resourceServer = await registerResourceServer(watchword, database, ['--access-token-format', 'jwt']);
  const service = (key?: string) => registerClient(watchword, database, ['--allow-client-credentials'], key);
  const opaque = { client: await service() };
  const jwt = { client: await service(resourceServer.key), resourceServer };
  await untilKnown(() => issueTokens(process.port, 1, 1, jwt.client));
  return { ...process, server, client, algorithm, opaque, jwt };
}

function loginServer(process: ServerProcess, own: OurServer): LoginServer {
  const server = oidcProviderFlows(process.port);
  return { ...process, server, client: theirClient(own) };
}

/** Each database of ours counts its clients by itself. */
function theirClient({ client, algorithm }: OurServer): FlowClient {
  return { ...client, clientId: algorithm };
}

/** @throws Error if the flow does not give an ID token that the algorithm of the client has signed */
async function checkIdToken(name: string, { server, client }: LoginServer): Promise<void> {
  const { id_token: idToken } = JSON.parse(await tokenResponseOf(server, client)) as { id_token: string };
  const issuer = `http://127.0.0.1:${server.port}`;
  const metadata = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: jwksUri, issuer: named } = (await metadata.json()) as Record<string, string>;
  const { payload } = await jwtVerify(idToken, createRemoteJWKSet(new URL(jwksUri ?? '')), {
    algorithms: [client.idTokenAlgorithm ?? ''],
    audience: client.clientId,
    issuer: named ?? '',
  });
  if (payload.nonce === undefined) throw new Error(`${name}: the ID token has no nonce`);
}
