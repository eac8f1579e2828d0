import { hash, randomBytes } from 'node:crypto';
import { type FlowAnswer, FlowConnection } from './flow-connection.ts';
import { asFastAsPossible, atFixedRate, type Load, type Worker } from './pace.ts';

export interface FlowClient {
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** The client logs users in, and gets an ID token that this algorithm signs. */
  readonly idTokenAlgorithm?: IdTokenAlgorithm;
  /** Grant types of the client at oidc-provider. Default: authorization codes alone. */
  readonly grantTypes?: readonly string[];
}

export type IdTokenAlgorithm = 'EdDSA' | 'ES256' | 'RS256';

/** Where a server wants to be asked, below its root. */
export interface FlowServer {
  readonly port: number;
  readonly authorizePath: string;
  readonly tokenPath: string;
}

export interface FlowLoadOptions {
  /** Flows at the same time. */
  readonly concurrency: number;
  readonly durationMs: number;
}

/**
 * Runs whole flows against a server, `concurrency` at a time: authorization request, login form, consent form,
 * code, token. Every flow is a new browser without cookies and a new PKCE verifier; only its connection is one
 * that was used before. Anything but a token at the end is an error.
 */
export function flowLoad(server: FlowServer, client: FlowClient, options: FlowLoadOptions): Promise<Load> {
  return overConnections(server, client, options, (flows) => asFastAsPossible(flows, options.durationMs));
}

/** The same at a fixed rate of flows; see `atFixedRate`. */
export function pacedFlowLoad(
  server: FlowServer,
  client: FlowClient,
  options: FlowLoadOptions,
  perSecond: number,
  isApart: boolean,
): Promise<Load> {
  return overConnections(server, client, options, (flows) =>
    atFixedRate(flows, perSecond, options.durationMs, isApart),
  );
}

async function overConnections(
  server: FlowServer,
  client: FlowClient,
  { concurrency }: FlowLoadOptions,
  run: (flows: readonly Worker[]) => Promise<Load>,
): Promise<Load> {
  const prepared = prepare(server, client);
  const connections = Array.from({ length: concurrency }, () => new FlowConnection(server.port));
  let requests = 0;
  try {
    const load = await run(
      connections.map((connection) => async () => {
        // Not `requests +=` before `await`: that would add to what was there when the flow began.
        const flow = await runFlow(connection, server, client, prepared);
        requests += flow.requests;
      }),
    );
    return { ...load, requestsEach: requests / load.done };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The token response of one flow. */
export async function tokenResponseOf(server: FlowServer, client: FlowClient): Promise<string> {
  const connection = new FlowConnection(server.port);
  const { tokenResponse } = await runFlow(connection, server, client, prepare(server, client));
  connection.close();
  return tokenResponse;
}

/** Of every user. */
export const password = 'correct horse battery staple';
// Who has agreed once is not asked again, so everyone comes once.
let users = 0;

/** What is the same in every flow, so that the generator costs no more than it must. */
interface Prepared {
  readonly authorizeUrl: string;
  readonly authorization: string;
}

function prepare({ authorizePath }: FlowServer, client: FlowClient): Prepared {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: client.idTokenAlgorithm === undefined ? client.scope : `openid ${client.scope}`,
    code_challenge_method: 'S256',
  });
  const credentials = Buffer.from(`${client.clientId}:${client.secret}`).toString('base64');
  return {
    authorizeUrl: `${authorizePath}?${query}`,
    authorization: `Authorization: Basic ${credentials}\r\n`,
  };
}

/** One flow; resolves with the number of requests it took, and with what the last one got. */
async function runFlow(
  connection: FlowConnection,
  server: FlowServer,
  client: FlowClient,
  { authorizeUrl, authorization }: Prepared,
): Promise<{ readonly requests: number; readonly tokenResponse: string }> {
  const browser = new Browser(connection, server.port);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = hash('sha256', verifier, 'base64url');
  const state = verifier.slice(0, 16);
  const isLogin = client.idTokenAlgorithm !== undefined;
  const random = `&state=${state}&code_challenge=${challenge}${isLogin ? `&nonce=${state}` : ''}`;
  const loginPage = await browser.get(authorizeUrl + random);
  users += 1;
  const consentPage = await browser.submit(loginPage, { username: `user-${users}`, password });
  const granted = await browser.submit(consentPage, { granted_scopes: client.scope, decision: 'allow' });
  const callback = new URL(granted.location ?? 'none:');
  const code = callback.searchParams.get('code');
  if (code === null || callback.searchParams.get('state') !== state) {
    throw new Error(`no code: ${granted.status} ${granted.location} ${granted.body}`);
  }
  const token = await browser.post(
    server.tokenPath,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
    },
    authorization,
  );
  const hasTokens = token.body.includes('"access_token"') && (!isLogin || token.body.includes('"id_token"'));
  if (token.status !== 200 || !hasTokens) {
    throw new Error(`no token: ${token.status} ${token.body}`);
  }
  return { requests: browser.requests, tokenResponse: token.body };
}

/** Keeps cookies and follows redirects as far as they stay on the server. */
class Browser {
  readonly #connection: FlowConnection;
  readonly #origin: string;
  readonly #common: string;
  readonly #cookies = new Map<string, string>();
  #path = '';
  requests = 0;

  constructor(connection: FlowConnection, port: number) {
    this.#connection = connection;
    this.#origin = `http://127.0.0.1:${port}`;
    this.#common = `Host: 127.0.0.1:${port}\r\nAccept: text/html,*/*\r\n`;
  }

  async get(path: string): Promise<FlowAnswer> {
    this.#path = path;
    return this.#follow(await this.#send(`GET ${path} HTTP/1.1\r\n${this.#common}${this.#cookie()}\r\n`));
  }

  /** Posts the form of the page, with its hidden fields and these. */
  async submit(page: FlowAnswer, fields: Record<string, string>): Promise<FlowAnswer> {
    const action = /<form\b[^>]*\baction="([^"]*)"/.exec(page.body)?.[1];
    if (page.status !== 200 || action === undefined) throw new Error(`no form: ${page.status} ${page.body}`);
    const path = action.startsWith('/') ? action : new URL(action, this.#origin + this.#path).pathname;
    this.#path = path;
    const origin = `Origin: ${this.#origin}\r\n`;
    return this.#follow(await this.post(path, { ...hiddenFields(page.body), ...fields }, origin));
  }

  post(path: string, fields: Record<string, string>, header: string): Promise<FlowAnswer> {
    const body = new URLSearchParams(fields).toString();
    return this.#send(
      `POST ${path} HTTP/1.1\r\n${this.#common}${this.#cookie()}${header}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
    );
  }

  async #follow(answer: FlowAnswer): Promise<FlowAnswer> {
    if (answer.location?.startsWith('/')) return this.get(answer.location);
    if (answer.location?.startsWith(`${this.#origin}/`)) {
      return this.get(answer.location.slice(this.#origin.length));
    }
    return answer;
  }

  async #send(head: string, body?: string): Promise<FlowAnswer> {
    this.requests += 1;
    const answer = await this.#connection.request(head, body);
    for (const cookie of answer.cookies) {
      const equals = cookie.indexOf('=');
      if (equals === cookie.length - 1) this.#cookies.delete(cookie.slice(0, equals));
      else this.#cookies.set(cookie.slice(0, equals), cookie);
    }
    return answer;
  }

  // Paths and lifetimes of cookies are left out: both servers ignore a cookie too many.
  #cookie(): string {
    return this.#cookies.size === 0 ? '' : `Cookie: ${[...this.#cookies.values()].join('; ')}\r\n`;
  }
}

function hiddenFields(page: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of page.matchAll(/<input\b[^>]*\btype="hidden"[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined) fields[name] = /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}
