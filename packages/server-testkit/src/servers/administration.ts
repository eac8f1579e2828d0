import { fileURLToPath } from 'node:url';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import type { SettingPath } from '../../../server/src/config/settings.ts';
import { codeVerifier, pkce } from '../clients/application.ts';
import { type Answer, ask } from '../clients/ask.ts';
import type { Persona } from '../people/any-person.ts';
import { type Served, startServer, type TestServer } from './server.ts';

/** The file of a module that accepts every login. The password has further fields of the user: a {@link Persona} as JSON. */
export const anyPerson = fileURLToPath(new URL('../people/any-person.ts', import.meta.url));

const pagesClient = 'authorization-server-admin-js-client';

/** A caller with an access token for the administration interface. */
export interface Administering {
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Creates a record and resolves with it. @throws Error when the server does not create it */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the answer
  create(path: string, body: unknown): Promise<any>;
}

/** Callers of the administration interface. */
export interface AdministrationCallers {
  /** Logs a user in, as the administration pages do. */
  person(name: string, persona?: Persona, scope?: string): Promise<Administering>;
  administrator(name?: string): Promise<Administering>;
  /** Registers a client of the administration interface and gets a client-credentials token for it. */
  actingClient(clientName: string, scope?: string): Promise<Administering & { readonly clientId: string }>;
  as(token: string): Administering;
}

export interface AdministrationServer extends TestServer, AdministrationCallers {}

/** The real server with an authenticator that accepts every principal. */
export async function startAdministration(
  flags: Partial<Record<SettingPath, string>> = {},
): Promise<AdministrationServer> {
  const server = await startServer({ authenticator: anyPerson, ...flags });

  return {
    ...server,
    ...administrationCallers(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A server with an administrator and two users: only `owner` owns the resource server `api`. */
export interface OwnedAdministration {
  readonly server: AdministrationServer;
  readonly root: Administering;
  readonly owner: Administering;
  readonly stranger: Administering;
  readonly api: { readonly id: number; readonly key: string; readonly secret: string };
}

/** Starts {@link startAdministration | the server}; the caller disposes of it. */
export async function startOwnedAdministration(): Promise<OwnedAdministration> {
  const server = await startAdministration();
  const root = await server.administrator();
  const owner = await server.person('owner');
  const stranger = await server.person('stranger');
  const api = await owner.create('/admin/resourceServer', anApi);
  return { server, root, owner, stranger, api };
}

/** Callers of the administration interface of a server whose authenticator accepts every principal. */
export function administrationCallers(server: Served): AdministrationCallers {
  const as = (token: string): Administering => {
    const call: Administering['call'] = (method, path, body, headers = {}) =>
      ask(`${server.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    return {
      token,
      call,
      get: (path) => call('GET', path),
      async create(path, body) {
        const answer = await call('POST', path, body);
        if (answer.status !== 201)
          throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
        return answer.json;
      },
    };
  };

  const redeemed = async (code: string, redirectUri: string): Promise<unknown> => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const of = { client_id: pagesClient, code_verifier: codeVerifier };
    return (await server.post('/oauth2/token', { ...form, ...of })).json.access_token;
  };

  const person: AdministrationCallers['person'] = async (name, persona = {}, scope = 'read write') => {
    const { registry } = server.service.store;
    const usesCodes = registry.clientByClientId(pagesClient)?.allowedImplicitGrant === false;
    const redirectUri = `${server.service.baseUrl}/client/client.html`;
    const query = new URLSearchParams({
      client_id: pagesClient,
      redirect_uri: redirectUri,
      ...(usesCodes ? { response_type: 'code', ...pkce } : { response_type: 'token' }),
      ...(scope !== '' && { scope }),
    });
    const { parameters, location } = await followFlow(
      new UserAgent(),
      `${server.baseUrl}/authorize?${query}`,
      { username: name, password: JSON.stringify(persona) },
    );
    const code = parameters.get('code');
    const token = code === null ? parameters.get('access_token') : await redeemed(code, redirectUri);
    if (typeof token !== 'string') throw new Error(`expected a token, got ${location}`);
    return as(token);
  };

  return {
    as,
    person,
    administrator: (name = 'root') => person(name, { adminPrincipal: true }),
    async actingClient(clientName, scope = 'read write') {
      const administrator = await person('registrar', { adminPrincipal: true });
      const systemId = await systemResourceServerId(administrator);
      const { clientId, secret } = await administrator.create(`/admin/resourceServer/${systemId}/client`, {
        clientName,
        contactName: 'Ops',
        scopes: ['read', 'write'],
        allowedClientCredentials: true,
      });
      const form = { grant_type: 'client_credentials', scope };
      const answer = await server.post('/oauth2/token', form, `${clientId}:${secret}`);
      return { ...as(answer.json.access_token), clientId };
    },
  };
}

/** Record id of the resource server `authorization-server-admin`. */
export async function systemResourceServerId(administrator: Administering): Promise<number> {
  const { json } = await administrator.get('/admin/resourceServer?q=authorization-server-admin');
  return json[0].id;
}

export const anApi = { name: 'Orders API', contactName: 'Ann', scopes: ['read', 'write'] };
export const anApp = { clientName: 'Night job', contactName: 'Ann', scopes: ['read'] };

/** All records as an administrator sees them, to compare before and after. */
export async function everything(administrator: Administering): Promise<string> {
  const { json: servers } = await administrator.get('/admin/resourceServer?limit=1000');
  const clients: unknown[] = [];
  for (const { id } of servers) {
    clients.push((await administrator.get(`/admin/resourceServer/${id}/client?limit=1000`)).json);
  }
  const tokens = (await administrator.get('/admin/accessToken?limit=1000')).json;
  return JSON.stringify({ servers, clients, tokens });
}
