import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { LoginSession } from '@watchword/protocol';
import { type Answer, ask } from '@watchword/server-testkit/clients/ask';
import { startBalancedServers } from '@watchword/server-testkit/servers/balanced-servers';
import {
  demoResourceServer,
  type Served,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import type { SettingPath } from '../../../server/src/config/settings.ts';
import { clientId, clientSecret, startTestProvider, type TestProvider } from './test-provider.ts';

export const authorizePath = '/authorize?response_type=code&client_id=demo-app';

/** A server whose users log in at a provider of the tests, or several behind one base URL. */
export interface Service extends AsyncDisposable {
  readonly server: Served & { log(): string };
  readonly baseUrl: string;
  /** `{base}/login/corp`. */
  readonly instance: string;
  /** Log lines of rejected logins and logouts. */
  rejected(): { readonly check: string; readonly detail: string; readonly provider: string }[];
  /** What the resource server learns of the user whose login ended with this page. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  tokenInfo(page: Page): Promise<any>;
  /** The newest login session. */
  session(): Promise<LoginSession>;
  logOut(token: string): Promise<Answer>;
}

export function optionsFor({ issuer }: Pick<TestProvider, 'issuer'>): Record<string, unknown> {
  return { issuer, clientId, clientSecret, allowPrivateAddresses: true };
}

export async function startService(
  options: Record<string, unknown>,
  settings: Partial<Record<SettingPath, string>> = {},
): Promise<Service & { readonly server: TestServer }> {
  const server = await startServer({ ...upstreamSettings(options), ...settings });
  return { ...serviceOf(server), server };
}

/** A provider and a service whose users log in there, for all tests of the suite or file that calls this. */
export function sharedService(
  take: (started: { readonly provider: TestProvider; readonly service: Service }) => void,
  options: Record<string, unknown> = {},
): void {
  const started = new AsyncDisposableStack();
  before(async () => {
    const provider = started.use(await startTestProvider());
    const service = started.use(await startService({ ...optionsFor(provider), ...options }));
    take({ provider, service });
  });
  after(() => started.disposeAsync());
}

/** Two servers on one PostgreSQL database. Each request goes to the other one. */
export async function startServiceOfNodes(settings: Partial<Record<SettingPath, string>>): Promise<Service> {
  return serviceOf(await startBalancedServers({ ...upstreamSettings({}), ...settings }));
}

function upstreamSettings(options: Record<string, unknown>): Partial<Record<SettingPath, string>> {
  return {
    authenticators: JSON.stringify([{ module: '@watchword/upstream', as: 'corp', options }]),
    consent: 'noop',
    // An RSA key takes longer to make than most tests.
    'signing.algorithms': 'ES256',
  };
}

function serviceOf(server: Served & AsyncDisposable & { log(): string }): Service {
  const { baseUrl } = server.service;
  const instance = `${baseUrl}/login/corp`;
  return {
    server,
    baseUrl,
    instance,
    rejected: () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.includes('was rejected"'))
        .map((line) => JSON.parse(line)),
    async tokenInfo(page) {
      const form = { grant_type: 'authorization_code', code: codeOf(page) };
      const token = await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret');
      const { access_token } = token.json;
      return (await server.post('/v1/tokeninfo', { access_token }, demoResourceServer)).json;
    },
    async session() {
      const [newest] = await server.service.store.loginSessions.list({ limit: 1 });
      return newest ?? assert.fail('nobody is logged in');
    },
    logOut: (token) =>
      ask(`${instance}/backchannel-logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Sends an authorization request of the demo application; resolves with the redirect to the provider, or a page of this server. */
export function requestLogin(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  agent = new UserAgent(),
  query = '',
): Promise<Page> {
  return agent.get(`${baseUrl}${authorizePath}${query}`);
}

/** Goes to the provider; resolves with the address of its response. */
export async function atProvider(page: Page): Promise<string> {
  const there = await new UserAgent().get(page.location ?? raise(page));
  return there.location ?? raise(there);
}

/** Runs a whole login; resolves with the response to the client, or with a page of this server. */
export async function logIn(service: Service, agent = new UserAgent(), query = ''): Promise<Page> {
  return agent.get(await atProvider(await requestLogin(service, agent, query)));
}

export function codeOf(page: Page): string {
  return new URL(page.location ?? raise(page)).searchParams.get('code') ?? raise(page);
}

function raise({ url, status, text, location }: Page): never {
  throw new Error(`the login ended at ${url} with ${status}: ${location ?? text}`);
}
