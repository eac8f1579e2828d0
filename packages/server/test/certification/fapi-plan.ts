import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  codeVerifier,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import {
  type Answer,
  demoResourceServer,
  readAnswer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { type AssertionParts, ClientKey } from '@watchword/testkit/client-key';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import { answeredBy, followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { openidScopes, persona } from '../support/openid-client.ts';

/** Epoch seconds. */
export const now = () => Math.floor(Date.now() / 1000);

export type Parameters = Readonly<Record<string, string>>;

/** What differs between the plans. */
export interface FapiVariant {
  /** `openid_connect`, else `plain_oauth`. */
  readonly isOpenid: boolean;
  /** Message Signing: signed request objects, and responses as JWTs. */
  readonly isSigned: boolean;
}

export interface FapiClient {
  readonly clientId: string;
  readonly key: ClientKey;
  /** Registered too. The plan forbids RS256, which it signs with. */
  readonly rsa: ClientKey;
  readonly dpop: DpopKey;
}

/** What a request has beside its parameters. `null` leaves it out. */
export interface Sent {
  readonly by?: FapiClient;
  readonly assertion?: Partial<AssertionParts> | null;
  readonly proof?: Partial<ProofParts> | null;
  readonly dpop?: DpopKey;
}

/** Of a request object, in place of the right parts. */
export interface ObjectParts {
  readonly claims?: object;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: ClientKey;
}

/** A login that ended with tokens. */
export interface FapiLogin {
  readonly response: URLSearchParams;
  readonly tokens: Answer['json'];
  readonly code: string;
}

/** The clients of a certification plan of FAPI 2.0, which check what every module of the plan checks. */
export class FapiPlan {
  readonly variant: FapiVariant;
  readonly first: FapiClient;
  readonly second: FapiClient;
  /** Asks its users for consent. */
  readonly asking: FapiClient;
  readonly issuer: string;
  readonly #server: TestServer;

  private constructor(server: TestServer, clients: readonly FapiClient[], variant: FapiVariant) {
    const [first, second, asking] = clients;
    assert.ok(first && second && asking);
    this.#server = server;
    this.issuer = server.service.baseUrl;
    this.variant = variant;
    this.first = first;
    this.second = second;
    this.asking = asking;
  }

  static async start(server: TestServer, variant: FapiVariant): Promise<FapiPlan> {
    const clients = ['First', 'Second', 'Asking'].map(async (clientName) => {
      const made = [ClientKey.create(), ClientKey.create('RS256'), DpopKey.create()] as const;
      const [key, rsa, dpop] = await Promise.all(made);
      const { client } = await registerApplication(server, {
        ...{ clientName, openidScopes, expireDuration: 600, skipConsent: clientName !== 'Asking' },
        ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk, rsa.jwk] } },
        dpopBoundAccessTokens: true,
      });
      return { clientId: client.clientId, key, rsa, dpop };
    });
    return new FapiPlan(server, await Promise.all(clients), variant);
  }

  /** The parameters of a request of the plan; an empty text leaves one out. */
  request(parameters: Parameters = {}, { clientId }: FapiClient = this.first): Parameters {
    const { isOpenid, isSigned } = this.variant;
    const usual = {
      ...{
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state: randomUUID(),
        ...pkce,
      },
      scope: isOpenid ? 'openid profile read' : 'read',
      ...(isOpenid && { nonce: randomUUID() }),
      ...(isSigned && { response_mode: 'jwt' }),
      ...parameters,
    };
    return Object.fromEntries(Object.entries(usual).filter(([, value]) => value !== ''));
  }

  object(parameters: Parameters, parts: ObjectParts = {}, by: FapiClient = this.first): Promise<string> {
    const times = { iat: now(), nbf: now(), exp: now() + 300 };
    const claims = { ...parameters, ...times, iss: by.clientId, aud: this.issuer, ...parts.claims };
    return (parts.key ?? by.key).sign(claims, { typ: 'oauth-authz-req+jwt', ...parts.header });
  }

  /** Pushes a request, in an object where the plan signs. */
  async push(parameters: Parameters = {}, sent: Sent = {}): Promise<Answer> {
    const request = this.request(parameters, sent.by);
    const form = this.variant.isSigned ? { request: await this.object(request, {}, sent.by) } : request;
    return this.pushForm(form, sent);
  }

  pushForm(form: Parameters, sent: Sent = {}): Promise<Answer> {
    return this.#post('/oauth2/par', form, { proof: null, ...sent });
  }

  async reference(parameters: Parameters = {}, sent: Sent = {}): Promise<string> {
    const { status, text, json } = await this.push(parameters, sent);
    assert.equal(status, 201, text);
    return json.request_uri;
  }

  url(request_uri: string, { clientId: client_id }: FapiClient = this.first, more: Parameters = {}): string {
    return `${this.issuer}/oauth2/authorize?${new URLSearchParams({ client_id, request_uri, ...more })}`;
  }

  /** The response of a whole login, verified where it is signed. */
  async respond(url: string, agent = new UserAgent(), answers: ResourceOwnerAnswers = {}) {
    const { location } = await followFlow(agent, url, { password: persona, ...answers });
    return this.responseAt(location);
  }

  async responseAt(location: string): Promise<URLSearchParams> {
    assert.ok(location.startsWith(`${redirectUri}?`), location);
    const answered = answeredBy(location);
    if (!this.variant.isSigned) return answered;
    assert.deepEqual([...answered.keys()], ['response']);
    const claims = await this.verified(answered.get('response') ?? '', this.clientIn(answered));
    const members = Object.entries(claims).map(([name, value]): [string, string] => [name, String(value)]);
    return new URLSearchParams(members.filter(([name]) => name !== 'aud' && name !== 'exp'));
  }

  async verified(jwt: string, audience = this.first.clientId): Promise<JWTPayload> {
    const keys = createRemoteJWKSet(new URL(`${this.issuer}/oauth2/jwks`));
    const options = { issuer: this.issuer, audience, algorithms: ['PS256', 'ES256', 'EdDSA'] };
    return (await jwtVerify(jwt, keys, options)).payload;
  }

  /** A code, after all that a client checks in a response. */
  async code(
    parameters: Parameters = {},
    sent: Sent = {},
  ): Promise<{ code: string; response: URLSearchParams }> {
    const state = parameters.state ?? randomUUID();
    const request_uri = await this.reference({ ...parameters, state }, sent);
    const response = await this.respond(this.url(request_uri, sent.by));
    assert.equal(response.get('error'), null, String(response));
    assert.deepEqual([response.get('state') ?? '', response.get('iss')], [state, this.issuer]);
    return { code: response.get('code') ?? assert.fail(String(response)), response };
  }

  token(form: Parameters, sent: Sent = {}): Promise<Answer> {
    return this.#post('/oauth2/token', form, sent);
  }

  redeem(code: string, form: Parameters = {}, sent: Sent = {}): Promise<Answer> {
    const usual = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    const given = Object.entries({ ...usual, ...form }).filter(([, value]) => value !== '');
    return this.token(Object.fromEntries(given), sent);
  }

  /** The tokens of a code. */
  async finish(code: string, sent: Sent = {}): Promise<Answer['json']> {
    const { status, text, json, headers } = await this.redeem(code, {}, sent);
    assert.equal(status, 200, text);
    assert.deepEqual([json.token_type, headers.get('cache-control')], ['DPoP', 'no-store']);
    return json;
  }

  async refused(answer: Answer | Promise<Answer>, ...errors: readonly string[]): Promise<void> {
    const { status, json, text } = await answer;
    assert.ok(errors.includes(json.error), `expected ${errors}, got ${text}`);
    assert.equal(status, json.error === 'invalid_client' ? 401 : 400, text);
  }

  /** A login with everything that the client checks: state, issuer, bound tokens, ID token, resource. */
  async logIn(parameters: Parameters = {}, sent: Sent = {}): Promise<FapiLogin> {
    const by = sent.by ?? this.first;
    const nonce = parameters.nonce ?? (this.variant.isOpenid ? randomUUID() : '');
    const { code, response } = await this.code({ ...parameters, nonce }, sent);
    const tokens = await this.finish(code, sent);
    if (this.variant.isOpenid) {
      const claims = await this.verified(tokens.id_token, by.clientId);
      assert.equal(claims.nonce, nonce === '' ? undefined : nonce);
    }
    assert.equal(await this.resource(tokens.access_token, sent), 200);
    return { response, tokens, code };
  }

  /** The status of a resource: userinfo, or what a resource server would answer. */
  async resource(token: string, { by = this.first, dpop = by.dpop, proof = {} }: Sent = {}, scheme = 'DPoP') {
    if (!this.variant.isOpenid) {
      const { json } = await this.#server.post('/oauth2/introspect', { token }, demoResourceServer);
      return json.active && json.cnf?.jkt === dpop.jkt ? 200 : 401;
    }
    const url = `${this.issuer}/oauth2/userinfo`;
    const header = proof && (await dpop.proof({ url, accessToken: token, ...proof }));
    return this.userinfo(`${scheme} ${token}`, header === null ? {} : { dpop: header });
  }

  async userinfo(authorization: string, headers: Parameters): Promise<number> {
    const init = { headers: { authorization, ...headers } };
    return (await fetch(`${this.#server.baseUrl}/oauth2/userinfo`, init)).status;
  }

  get(path: string): Promise<Answer> {
    return this.#server.get(path);
  }

  /** Where a page is that the user sees instead of a response. */
  async page(url: string, agent = new UserAgent()): Promise<Page> {
    const page = await agent.get(url);
    assert.equal(page.location, undefined);
    return page;
  }

  clientIn(response: URLSearchParams): string {
    const [, payload = ''] = (response.get('response') ?? '').split('.');
    const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const known = [this.first, this.second, this.asking].find(({ clientId }) => clientId === aud);
    return known?.clientId ?? assert.fail(`expected a client of the plan, got ${aud}`);
  }

  async #post(
    path: string,
    form: Parameters,
    { by = this.first, assertion = {}, proof = {}, dpop = by.dpop }: Sent,
  ): Promise<Answer> {
    const { issuer } = this;
    const proven = proof && (await dpop.proof({ method: 'POST', url: `${issuer}${path}`, ...proof }));
    const asserted = assertion && (await by.key.form({ clientId: by.clientId, issuer, ...assertion }));
    return readAnswer(
      await fetch(`${this.#server.baseUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, ...asserted }),
        headers: proven === null ? {} : { dpop: proven },
      }),
    );
  }
}

/** A module of a plan: its name, what the server must do, and the test of it. */
export type FapiModule = readonly [name: string, outcome: string, run: (plan: FapiPlan) => Promise<unknown>];

/** A pushed request with these parameters, which is refused. */
export const pushFails =
  (parameters: Parameters, ...errors: readonly string[]) =>
  async (plan: FapiPlan) =>
    plan.refused(await plan.push(parameters), ...errors);
