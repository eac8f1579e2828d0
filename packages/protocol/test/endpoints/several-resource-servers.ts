import assert from 'node:assert/strict';
import {
  authorizationRequest,
  buildResourceServer,
  clientRequest,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
  machineSecret,
  TestBrowser,
  type TestForm,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import type { Client } from '../../src/model/records/client.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';

export const home = 'https://home.example/api';
export const a = 'https://a.example/';
export const otherOfA = 'https://a.example/v2';
export const b = 'https://b.example/mcp';
export const c = 'https://c.example';
const names = { [home]: 'test-api', [a]: 'a-api', [b]: 'b-api', [c]: 'c-api' };

export interface Server extends FlowDependencies {
  /** `web-app` as it is registered. */
  readonly app: Client;
}

/**
 * The home of `web-app` has `read` and `write`; it can use A (`read`, `a`) and B (`read`, `b`), which have further scopes, and not C. A is registered
 * without a path.
 */
export async function server(
  overrides: Partial<ResourceServer> = {},
  ofClient: Partial<Client> = {},
): Promise<Server> {
  const deps = await flowDependencies();
  const put = (id: number, key: string, resources: string[], scopes: string[]) =>
    deps.store.putResourceServer(
      buildResourceServer({ id, key, resources, scopes, secret: machineSecret('secret'), ...overrides }),
    );
  put(1, 'test-api', [home], ['read', 'write']);
  put(2, 'a-api', ['https://a.example', otherOfA], ['read', 'a', 'hidden']);
  put(3, 'b-api', [b], ['read', 'b', 'secret']);
  put(4, 'c-api', [c], ['read']);
  const app = {
    ...deps.webApp,
    openidScopes: ['profile'] as const,
    otherResourceServers: [
      { resourceServerId: 2, scopes: ['read', 'a'] },
      { resourceServerId: 3, scopes: ['read', 'b'] },
    ],
    ...ofClient,
  };
  deps.store.putClient(app);
  return { ...deps, app };
}

export async function code(deps: FlowDependencies, request: TestForm): Promise<string> {
  const parameters = await deps.grant(request);
  return parameters.get('code') ?? assert.fail(String(parameters));
}

export function redeem(deps: FlowDependencies, value: string, form: TestForm = {}) {
  const redirect_uri = 'https://app.example/cb';
  return deps.token({ grant_type: 'authorization_code', code: value, redirect_uri, ...form });
}

/** Logs in, consents to everything and redeems the code. */
export async function obtain(deps: FlowDependencies, request: TestForm, form: TestForm = {}) {
  return redeem(deps, await code(deps, request), form);
}

export function refresh(deps: FlowDependencies, token: string | undefined, form: TestForm = {}) {
  return deps.token({ grant_type: 'refresh_token', refresh_token: token ?? '', ...form });
}

/** What token info and introspection say to each resource server, for which both must be the same. */
export async function seen(deps: FlowDependencies, token: string) {
  const all: Record<string, unknown> = {};
  const registered = Object.values(names).filter((key) => deps.store.registry.resourceServerByKey(key));
  for (const key of registered) {
    const credentials = `${key}:secret`;
    const info = await tokenInfoEndpoint(deps)(clientRequest({}, credentials), () => token).catch(
      (error: OAuthError) => error.kind,
    );
    const about = await introspectionEndpoint(deps)(introspectRequest(token, credentials));
    if (typeof info === 'string') {
      assert.deepEqual([info, about], ['token_not_found', { active: false }], key);
      continue;
    }
    assert.ok(about.active);
    assert.equal(about.scope, info.scopes.join(' '));
    const aud = [about.aud ?? []].flat().filter((name) => name !== deps.issuer);
    assert.deepEqual(aud, info.aud);
    all[key] = `${about.scope} @ ${aud.join(' ')}`;
  }
  return all;
}

/** `error rule` of what is refused. */
export async function refused(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    (value) => assert.fail(JSON.stringify(value)),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OAuthError, String(error));
  return `${error.kind} ${error.rule}`;
}

/** The error that an authorization request of the client ends with, before the login. */
export async function refusedRequest({ authorization }: Server, request: TestForm): Promise<string> {
  const answer = await authorization.authorize(authorizationRequest(request), new TestBrowser().state);
  assert.ok('error' in answer && answer.error !== undefined, answer.type);
  return `${answer.error.kind} ${answer.error.rule}`;
}

export const claims = async (deps: FlowDependencies, token: string) =>
  (await deps.signer.verify(token, { type: 'at+jwt', keys: 'published' })) ?? assert.fail('no JWT');
