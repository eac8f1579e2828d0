import { type FlowClient, type FlowLoadResult, flowLoad } from '../load/flow-load.ts';
import { httpLoad } from '../load/http-load.ts';
import type { Load } from './rounds.ts';

/** Of each process: a process has as much to do beside others as alone. */
export const connections = 64;

const demoApp: FlowClient = {
  clientId: 'demo-app',
  secret: 'demo-app-secret',
  redirectUri: 'http://127.0.0.1:8081/callback',
  scope: 'read',
};

/** Requests that must all be answered with 200. */
export async function requestLoad(port: number, forMs: number, nextRequest: () => Buffer): Promise<Load> {
  const load = await httpLoad({ port, connections, durationMs: forMs, nextRequest });
  if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests failed`);
  return { ...load, done: load.requests, perSecond: load.requestsPerSecond };
}

/** Whole authorization code flows of the demo application, which gets a refresh token too. */
export async function demoFlowLoad(port: number, forMs: number): Promise<Load> {
  const server = { port, authorizePath: '/authorize', tokenPath: '/oauth2/token' };
  const load = await flowLoad(server, demoApp, { concurrency: connections, durationMs: forMs });
  return flowsDone(load);
}

/** Flows as the operations of a load. */
export function flowsDone(load: FlowLoadResult): Load {
  const { flows, flowsPerSecond, requestsPerFlow } = load;
  return { ...load, done: flows, perSecond: flowsPerSecond, requestsEach: requestsPerFlow };
}
