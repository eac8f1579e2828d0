import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

export interface LoginOptions {
  /** Of a registered client without a secret. */
  readonly clientId?: string;
  /** In its place: an https URL at which this client describes itself (client ID metadata document). */
  readonly clientMetadataUrl?: string;
  /** Port of the redirect URI; 0 = any free one. */
  readonly port: number;
  /** Shows the user where to log in. */
  readonly show: (url: URL) => void;
}

/** What the SDK asks of a client that acts for a user, kept in memory; the browser comes back to an address of this machine. */
export class Login implements OAuthClientProvider, AsyncDisposable {
  readonly clientMetadataUrl?: string;
  readonly #server = createServer();
  readonly #show: (url: URL) => void;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #state = '';
  #answer = Promise.withResolvers<URLSearchParams>();
  #discovered: OAuthDiscoveryState | undefined;

  private constructor({ clientId, clientMetadataUrl, show }: LoginOptions) {
    this.#show = show;
    if (clientId !== undefined) this.#client = { client_id: clientId };
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.#server.on('request', (request, response) => this.#receive(request, response));
  }

  static async start(options: LoginOptions): Promise<Login> {
    const login = new Login(options);
    login.#server.listen(options.port, '127.0.0.1');
    await once(login.#server, 'listening');
    return login;
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callback`;
  }

  get clientMetadata() {
    return { redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  }

  #receive({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.redirectUrl);
    const isAnswer = pathname === '/callback' && searchParams.get('state') === this.#state;
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain' });
    response.end(isAnswer ? 'You can close this window.\n' : 'There is nothing here.\n');
    if (isAnswer) this.#answer.resolve(searchParams);
  }

  /** Resolves with the code with which the browser comes back. @throws if it brings none, or from another server than the one that was asked */
  async code(): Promise<string> {
    const answer = await this.#answer.promise;
    // The SDK does not compare it (RFC 9207 §2.4): another server could have put its code here.
    const issuer = this.#discovered?.authorizationServerMetadata?.issuer;
    const came = answer.get('iss');
    if (came !== issuer) throw new Error(`expected an answer of ${issuer}, got one of ${came}`);
    const code = answer.get('code');
    if (code !== null) return code;
    throw new Error(`the login failed: ${answer.get('error')}: ${answer.get('error_description')}`);
  }

  state() {
    this.#state = randomBytes(32).toString('base64url');
    this.#answer = Promise.withResolvers();
    return this.#state;
  }

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }

  /** A refresh brings no further scope. While there is a refresh token, the SDK would not send the user to allow more. */
  forgetRefreshToken() {
    const { refresh_token: _, ...others } = this.#tokens ?? {};
    if (this.#tokens !== undefined) this.#tokens = others as OAuthTokens;
  }

  redirectToAuthorization(url: URL) {
    this.#show(url);
  }

  codeVerifier() {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  discoveryState() {
    return this.#discovered;
  }

  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }

  async [Symbol.asyncDispose]() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
