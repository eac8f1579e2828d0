import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { type Application, redirectUri } from '@watchword/server-testkit/clients/application';
import type { Answer, TestServer } from '@watchword/server-testkit/servers/server';
import { answeredBy, formForClient } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import type { JWTPayload } from 'jose';
import { persona, userinfo, verified } from '../support/openid-client.ts';

export type RequestParameters = Readonly<Record<string, string>>;

/** What differs between the plans whose responses have a code. */
export interface PlanVariant {
  readonly responseType: 'code' | 'code id_token' | 'code token' | 'code id_token token';
  /** The plan is that of `response_mode=form_post`. */
  readonly isFormPost: boolean;
}

/** A login that ended with tokens. */
export interface Login {
  readonly page: Page;
  readonly parameters: URLSearchParams;
  readonly tokens: Answer['json'];
  /** Of the verified ID token. */
  readonly claims: JWTPayload;
  readonly userinfo: Answer;
}

/** A client of a certification plan, which checks what every module of the plan checks. */
export class CodePlan {
  readonly server: TestServer;
  readonly app: Application;
  /** Another client. */
  readonly other: Application;
  readonly #variant: PlanVariant;

  constructor(
    server: TestServer,
    clients: { readonly app: Application; readonly other: Application },
    variant: PlanVariant,
  ) {
    this.server = server;
    this.app = clients.app;
    this.other = clients.other;
    this.#variant = variant;
  }

  /** The parameters of a request of the plan; an empty text leaves one out. */
  request(parameters: RequestParameters = {}): RequestParameters {
    const { responseType: response_type, isFormPost } = this.#variant;
    const mode = isFormPost ? { response_mode: 'form_post' } : {};
    return {
      ...{ response_type, scope: 'openid', state: randomUUID(), nonce: randomUUID(), ...mode },
      ...parameters,
    };
  }

  /** The parameters of the response in an answer, at the place where the plan expects them. */
  responseIn(page: Page, responseType: string = this.#variant.responseType): URLSearchParams {
    if (!this.#variant.isFormPost) {
      assert.equal(page.status, 303, page.text);
      const { location = '' } = page;
      const place = responseType.includes(' ') ? '#' : '?';
      assert.ok(location.startsWith(`${redirectUri}${place}`), location);
      return answeredBy(location);
    }
    assert.equal(page.status, 200, page.text);
    const form = formForClient(page);
    assert.ok(form?.action === redirectUri, page.text);
    const fields = form.controls.filter(({ type }) => type === 'hidden');
    return new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]));
  }

  /** Sends a request that must end with this error, and with the state and the issuer. */
  async expectError(parameters: RequestParameters, errors: readonly string[], agent = new UserAgent()) {
    const request = this.request(parameters);
    const response = this.responseIn(await this.app.open(request, agent), request.response_type);
    assert.ok(errors.includes(response.get('error') ?? ''), String(response));
    assert.equal(response.get('state'), request.state);
    assert.equal(response.get('iss'), this.server.service.baseUrl);
    for (const name of ['code', 'id_token', 'access_token']) assert.ok(!response.has(name), name);
  }

  /** A login with everything that the client checks: state, issuer, tokens, ID token, userinfo. */
  async logIn(parameters: RequestParameters = {}, agent = new UserAgent()): Promise<Login> {
    const request = this.request(parameters);
    const { redirect } = await this.app.authorize(request, { password: persona }, agent);
    return this.complete(redirect, request);
  }

  /** The same from a page that has the response. */
  async complete(page: Page, request: RequestParameters): Promise<Login> {
    const response = this.responseIn(page);
    assert.equal(response.get('state'), request.state ?? null);
    assert.equal(response.get('iss'), this.server.service.baseUrl);
    const code = response.get('code') ?? assert.fail(String(response));
    const answer = await this.app.redeem(code);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.json.token_type, /^bearer$/i);
    assert.equal(typeof answer.json.expires_in, 'number');
    const claims = await verified(this.server, answer.json.id_token, this.app);
    assert.equal(claims.nonce, request.nonce || undefined);
    const user = await userinfo(this.server, answer.json.access_token);
    assert.equal(user.status, 200, user.text);
    assert.equal(user.json.sub, claims.sub);
    await this.#checkTokens(response, claims);
    return { page, parameters: response, tokens: answer.json, claims, userinfo: user };
  }

  /** The tokens beside the code are those of the response type, and of the same login. */
  async #checkTokens(response: URLSearchParams, { sub, nonce }: JWTPayload): Promise<void> {
    const { responseType } = this.#variant;
    assert.equal(response.has('id_token'), responseType.includes('id_token'), String(response));
    assert.equal(response.has('access_token'), responseType.endsWith(' token'), String(response));
    const [code, idToken, token] = ['code', 'id_token', 'access_token'].map((name) => response.get(name));
    if (idToken) {
      const claims = await verified(this.server, idToken, this.app);
      const expected = [sub, nonce, half(code), half(token)];
      assert.deepEqual([claims.sub, claims.nonce, claims.c_hash, claims.at_hash], expected);
    }
    if (token) assert.equal((await userinfo(this.server, token)).json.sub, sub);
  }

  /** Whether a page asks for a login. */
  isLoginPage({ status, forms }: Page): boolean {
    return status === 200 && forms.some(({ controls }) => controls.some(({ name }) => name === 'password'));
  }
}

/** The hash of a code or a token in an ID token that RS256 signs (OpenID Connect Core §3.3.2.11). */
function half(value: string | null | undefined): string | undefined {
  if (!value) return undefined;
  return createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');
}
