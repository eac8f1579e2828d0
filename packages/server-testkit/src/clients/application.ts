import { createHash } from 'node:crypto';
import type { Client, ClientRegistration } from '@watchword/protocol';
import { type FlowResult, followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { type Answer, demoResourceServer, type Served } from '../servers/server.ts';
import { registerClient } from './clients.ts';

export const redirectUri = 'https://app.example/cb';

/** A PKCE pair (RFC 7636). All tests share the verifier, because there is no attacker to intercept it. */
export const codeVerifier = 'verifier-verifier-verifier-verifier-verifier';
export const pkce = {
  code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  code_challenge_method: 'S256',
};

/** Parameters by name; an empty text leaves one out, a list repeats it. */
export type RequestParameters = Readonly<Record<string, string | readonly string[]>>;

/** A registered application: its requests and their answers. */
export interface Application {
  readonly client: Client;
  /** `clientId:secret`; `undefined` for a public client. */
  readonly credentials: string | undefined;
  /** The URL of its authorization request, with these parameters in place of the usual ones. */
  authorizeUrl(parameters?: RequestParameters): string;
  /** Pushes the authorization request (RFC 9126), with these parameters in place of the usual ones. */
  push(parameters?: Record<string, string>): Promise<Answer>;
  /** Where the browser begins a request that was pushed. */
  pushedUrl(requestUri: string): string;
  /** Opens the authorization request in a browser, without an answer of the user. */
  open(parameters?: RequestParameters, agent?: UserAgent): Promise<Page>;
  /** Opens the authorization request in a browser and answers its pages. */
  authorize(
    parameters?: RequestParameters,
    answers?: ResourceOwnerAnswers,
    agent?: UserAgent,
  ): Promise<FlowResult>;
  obtainCode(parameters?: RequestParameters): Promise<string>;
  /** Redeems the code at the token endpoint; an empty text leaves a parameter out. */
  redeem(code: string, parameters?: Record<string, string>): Promise<Answer>;
  refresh(refreshToken: string, parameters?: Record<string, string>): Promise<Answer>;
  /** Runs the whole code flow. */
  obtainTokens(parameters?: RequestParameters): Promise<{ access_token: string; refresh_token: string }>;
}

/** Registers an application with the redirect URI {@link redirectUri} and with refresh tokens. */
export async function registerApplication(
  server: Served,
  registration: Partial<ClientRegistration> = {},
  resourceServerKey?: string,
): Promise<Application> {
  const { client, secret, credentials } = await registerClient(
    server,
    {
      scopes: ['read', 'write'],
      redirectUris: [redirectUri],
      useRefreshTokens: registration.allowedImplicitGrant !== true,
      allowedClientCredentials: false,
      ...registration,
    },
    resourceServerKey,
  );
  const usual = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0] ?? redirectUri,
    state: 'state-1',
    ...(secret === undefined && pkce),
  };
  const authentication = secret === undefined ? { client_id: client.clientId } : undefined;
  const post = (path: string, form: Record<string, string>) =>
    server.post(
      path,
      without('', { ...authentication, ...form }),
      authentication === undefined ? credentials : undefined,
    );

  const token = (form: Record<string, string>) => post('/oauth2/token', form);

  const application: Application = {
    client,
    credentials: secret === undefined ? undefined : credentials,
    authorizeUrl: (parameters = {}) => `${server.baseUrl}/authorize?${query({ ...usual, ...parameters })}`,
    push: (parameters = {}) => post('/oauth2/par', { ...usual, ...parameters }),
    pushedUrl: (request_uri) =>
      `${server.baseUrl}/authorize?${query({ client_id: client.clientId, request_uri })}`,
    open: (parameters, agent = new UserAgent()) => agent.get(application.authorizeUrl(parameters)),
    authorize: (parameters, answers, agent = new UserAgent()) =>
      followFlow(agent, application.authorizeUrl(parameters), answers),
    async obtainCode(parameters) {
      const { location, parameters: answered } = await application.authorize(parameters);
      const code = answered.get('code');
      if (code === null) throw new Error(`expected a code, got ${location}`);
      return code;
    },
    redeem: (code, parameters = {}) =>
      token({
        grant_type: 'authorization_code',
        code,
        redirect_uri: usual.redirect_uri,
        ...(secret === undefined && { code_verifier: codeVerifier }),
        ...parameters,
      }),
    refresh: (refreshToken, parameters = {}) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...parameters }),
    async obtainTokens(parameters) {
      const answer = await application.redeem(await application.obtainCode(parameters));
      if (answer.status !== 200) throw new Error(`expected tokens, got ${answer.text}`);
      return answer.json;
    },
  };
  return application;
}

/** Whether the access token is valid at token info of the demo resource server. */
export async function isActive(server: Served, accessToken: string): Promise<boolean> {
  const { status } = await server.post('/v1/tokeninfo', { access_token: accessToken }, demoResourceServer);
  return status === 200;
}

function query(parameters: RequestParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString();
}

function without(value: string, form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([, each]) => each !== value));
}
