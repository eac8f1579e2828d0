import { registerClient, untilKnown } from '../contestants/checkouts.ts';
import { type ServerProcess, startOidcProvider, watchword } from '../contestants/server-process.ts';
import { ownServer, running } from '../contestants/temporary.ts';
import {
  type FlowClient,
  type FlowServer,
  flowLoad,
  type IdTokenAlgorithm,
  pacedFlowLoad,
} from '../load/flow-load.ts';
import { connections, oidcProviderFlows, watchwordFlows } from '../rounds/loads.ts';
import type { SuiteResult } from '../rounds/results.ts';
import { compareServers } from '../rounds/server-comparison.ts';
import { compareFlows } from './flow/comparison.ts';
import { comparePasswords } from './flow/passwords.ts';

/** A server, and how a client asks for a flow there. */
interface FlowContestant extends ServerProcess {
  readonly server: FlowServer;
  readonly client: FlowClient;
}

/**
 * Whole authorization code flows: authorization request, login form, consent form, code, token. Watchword has its database on disk,
 * oidc-provider keeps everything in memory.
 *
 * @param args `--authenticator password` and how many rounds, to measure logins with passwords beside logins without; or the directory of
 *   another checkout, to measure its code instead of oidc-provider; then the algorithm of ID tokens, if each flow ends with one
 */
export async function benchFlow([before, algorithm, rounds]: readonly string[]): Promise<
  SuiteResult | undefined
> {
  if (before === '--authenticator') {
    await comparePasswords(String(algorithm), rounds);
    return undefined;
  }
  if (before !== undefined) {
    await compareFlows(before, algorithm as IdTokenAlgorithm | undefined);
    return undefined;
  }
  await using resources = new AsyncDisposableStack();
  const { process, database } = await ownServer(resources);
  const redirectUri = 'https://client.example/callback';
  const registered = await registerClient(watchword, database, ['--redirect-uri', redirectUri]);
  const client = { ...registered, redirectUri, scope: 'read' };
  const own = { ...process, server: watchwordFlows(process.port), client };
  await untilKnown(() => flowLoad(own.server, client, { concurrency: 1, durationMs: 1 }));
  const provider = async (interactions: 'one' | 'two') => {
    const started = await running(resources, startOidcProvider({ clients: [client], interactions }));
    return { ...started, server: oidcProviderFlows(started.port), client };
  };
  // Awaited here, because the servers stop when this function returns.
  return await compareServers<FlowContestant>({
    name: 'flow',
    title: 'Authorization code flow',
    operation: 'flow',
    own: 'Watchword',
    packages: ['oidc-provider'],
    contestants: [
      { name: 'Watchword', processes: [own] },
      { name: 'oidc-provider', processes: [await provider('two')] },
      { name: 'oidc-provider, one interaction', processes: [await provider('one')] },
    ],
    load: ({ server, client }, durationMs) =>
      flowLoad(server, client, { concurrency: connections, durationMs }),
    paced: ({ server, client }, durationMs, perSecond, isApart) =>
      pacedFlowLoad(server, client, { concurrency: connections, durationMs }, perSecond, isApart),
  });
}
