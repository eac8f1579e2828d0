import { type FlowClient, type FlowServer, flowLoad } from '../load/flow-load.ts';
import { httpLoad } from '../load/http-load.ts';
import type { Load } from '../load/pace.ts';

/** Of each process: a process has as much to do beside others as alone. */
export const connections = 64;

export const demoApp: FlowClient = {
  clientId: 'demo-app',
  secret: 'demo-app-client-secret',
  redirectUri: 'http://127.0.0.1:8081/callback',
  scope: 'read',
};

/** Requests that must all be answered with 200. */
export function requestLoad(port: number, forMs: number, nextRequest: () => Buffer): Promise<Load> {
  return httpLoad({ port, connections, durationMs: forMs, requests: { next: nextRequest } });
}

/** Whole authorization code flows of the demo application, which gets a refresh token too. */
export function demoFlowLoad(port: number, forMs: number): Promise<Load> {
  return flowLoad(watchwordFlows(port), demoApp, { concurrency: connections, durationMs: forMs });
}

/** Where Watchword is asked in a flow. */
export function watchwordFlows(port: number): FlowServer {
  return { port, authorizePath: '/authorize', tokenPath: '/oauth2/token' };
}

/** Where oidc-provider is asked in a flow. */
export function oidcProviderFlows(port: number): FlowServer {
  return { port, authorizePath: '/auth', tokenPath: '/token' };
}
