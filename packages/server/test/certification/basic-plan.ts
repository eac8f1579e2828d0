import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Application, redirectUri } from '@watchword/server-testkit/application';
import type { Answer, TestServer } from '@watchword/server-testkit/server';
import { answeredBy, formForClient } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import type { JWTPayload } from 'jose';
import { persona, userinfo, verified } from '../support/openid-client.ts';

export type RequestParameters = Readonly<Record<string, string>>;

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
export class BasicPlan {
  readonly server: TestServer;
  readonly app: Application;
  /** Another client. */
  readonly other: Application;
  readonly #mode: RequestParameters;

  /** @param clients `isFormPost`: the plan is that of `response_mode=form_post` */
  constructor(
    server: TestServer,
    clients: { readonly app: Application; readonly other: Application; readonly isFormPost: boolean },
  ) {
    const { app, other, isFormPost } = clients;
    this.server = server;
    this.app = app;
    this.other = other;
    this.#mode = isFormPost ? { response_mode: 'form_post' } : {};
  }

  /** The parameters of a request of the plan; an empty text leaves one out. */
  request(parameters: RequestParameters = {}): RequestParameters {
    return { scope: 'openid', state: randomUUID(), nonce: randomUUID(), ...this.#mode, ...parameters };
  }

  /** The parameters of the response in an answer, at the place where the plan expects them. */
  responseIn(page: Page): URLSearchParams {
    if (this.#mode.response_mode === undefined) {
      assert.equal(page.status, 303, page.text);
      const { location = '' } = page;
      assert.ok(location.startsWith(`${redirectUri}?`), location);
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
    const response = this.responseIn(await this.app.open(request, agent));
    assert.ok(errors.includes(response.get('error') ?? ''), String(response));
    assert.equal(response.get('state'), request.state);
    assert.equal(response.get('iss'), this.server.service.baseUrl);
    assert.ok(!response.has('code'));
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
    return { page, parameters: response, tokens: answer.json, claims, userinfo: user };
  }

  /** Whether a page asks for a login. */
  isLoginPage({ status, forms }: Page): boolean {
    return status === 200 && forms.some(({ controls }) => controls.some(({ name }) => name === 'password'));
  }
}
