import { randomUUID } from 'node:crypto';
import { administrationClientId, administrationRedirectUri } from '@watchword/protocol';
import type { Service } from '@watchword/server';
import type { TestClock } from './clock.ts';
import type { Faults, TestFaults } from './faults.ts';
import type { KeyPair } from './key-pairs.ts';
import {
  type Asked,
  type AuthorizationRequest,
  asClient,
  asPairs,
  authorize,
  codeFlow,
  type TokenRequest,
  type Tokens,
  tokenRequest,
} from './log-in.ts';
import type {
  KnownClient,
  RegisteredClient,
  RegisteredResourceServer,
  TestClient,
  TestRecords,
  TestResourceServer,
} from './records.ts';
import { send } from './requests.ts';
import { TestServerError } from './test-server-error.ts';
import type { LoginDetails, TestUser, TestUsers } from './users.ts';

export interface TestServerOptions {
  /**
   * Two servers with one seed make the same ids, secrets, keys and tokens, if the same is asked of them in the same order. Whoever knows the
   * seed knows all of them. Default: they are random.
   */
  readonly seed?: string | number;
  /** When the clock of the server stands. Default: it goes as `Date` does, also where a test runner moves that. */
  readonly time?: Date | number | string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: one, `api`. */
  readonly resourceServers?: readonly TestResourceServer[];
  /** Default: one, `app`. */
  readonly clients?: readonly TestClient[];
  /** Users with groups and claims. Every other name can log in too. */
  readonly users?: readonly TestUser[];
  /** Other settings of the server, by their names in the configuration, with values as environment variables have them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets each line of the log. Default: nothing is logged. */
  readonly log?: (line: string) => void;
}

/** Who logs in, and what the client asks for. */
export interface LogIn extends AuthorizationRequest, Partial<LoginDetails> {
  /** Default: `test-user`. */
  readonly user?: string;
  /** The clientId. Default: that of the first client. */
  readonly client?: string;
}

export interface ClientCredentials extends TokenRequest {
  /** The clientId. Default: that of the first client. */
  readonly client?: string;
}

export interface RotateKeys {
  /** Whether the keys before are compromised: then the server takes them back at once, with all tokens that they signed. Default: they retire. */
  readonly compromised?: boolean;
}

interface Parts {
  readonly service: Service;
  readonly clock: TestClock;
  readonly records: TestRecords;
  readonly users: TestUsers;
  readonly faults: TestFaults;
  readonly keyPairs: readonly KeyPair[];
  /** Starts another server with the same records, users and clock. */
  readonly sibling: () => Promise<TestServer>;
}

/** Another server, with so many records, and with the keys of these `kid`. */
interface Sibling {
  readonly server: Promise<TestServer>;
  readonly records: number;
  readonly keys: Set<string>;
}

/** The production server, for one test or for many. */
export class TestServer implements AsyncDisposable {
  /** The base URL, which is also the issuer. */
  readonly url: string;
  readonly faults: Faults;
  readonly #parts: Parts;
  readonly #asked: Asked;
  #sibling: Sibling | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @internal Use `startTestServer`. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.url = parts.service.baseUrl;
    this.faults = parts.faults;
    this.#asked = { baseUrl: this.url, headers: parts.faults.pass };
  }

  /** The first resource server: URL, key and secret, as `createTokenVerifier` of `@watchword/resource-server` takes them. */
  get resourceServer(): RegisteredResourceServer {
    const [{ key = '', secret = '' } = {}] = this.#parts.records.givenServers;
    if (key === '')
      throw new TestServerError('This server has no resource server: add one by addResourceServer().');
    return { url: this.url, key, secret };
  }

  /** The first client. */
  get client(): RegisteredClient {
    const { clientId, clientSecret, redirectUri } = this.#parts.records.client(undefined);
    return { clientId, clientSecret, redirectUri };
  }

  /** Moves the clock of the server. */
  advance(seconds: number): void {
    this.#parts.clock.advance(seconds);
  }

  /** Sets the clock of the server, which stands from now on. */
  setTime(time: Date | number | string): void {
    this.#parts.clock.set(time);
  }

  addResourceServer(resourceServer: TestResourceServer = {}): Promise<RegisteredResourceServer> {
    return this.#parts.records.addResourceServer(resourceServer);
  }

  addClient(client: TestClient = {}): Promise<RegisteredClient> {
    return this.#parts.records.addClient(client);
  }

  addUser(user: TestUser): void {
    this.#parts.users.add(user);
  }

  /**
   * The tokens that a client gets when a user logs in and allows all that it asks for, by the authorization code flow, without a page.
   *
   * @throws TestServerError with the error of the server, if it refuses the request
   */
  async logIn(request: LogIn = {}): Promise<Tokens> {
    const { user = 'test-user', client, amr, acr, resource, ...rest } = request;
    return this.#withFaults(client, (server, { clientId }, isAtHome) =>
      server.#codeFlow(clientId, { user, amr, acr }, { ...rest, ...(isAtHome && { resource }) }),
    );
  }

  /**
   * The token that a client gets for itself.
   *
   * @throws TestServerError with the error of the server, if it refuses the request
   */
  async clientCredentials({ client, resource, ...rest }: ClientCredentials = {}): Promise<Tokens> {
    return this.#withFaults(client, (server, { clientId }, isAtHome) => {
      const pairs = asPairs({ ...rest, ...(isAtHome && { resource }) });
      const form = [['grant_type', 'client_credentials'] as const, ...pairs];
      return tokenRequest(server.#asked, server.#parts.records.client(clientId), form);
    });
  }

  /** New tokens for a refresh token. @throws TestServerError if the server refuses it */
  refresh(refreshToken: string, { client, ...rest }: ClientCredentials = {}): Promise<Tokens> {
    const form = [['grant_type', 'refresh_token'] as const, ['refresh_token', refreshToken] as const];
    return tokenRequest(this.#asked, this.#parts.records.client(client), [...form, ...asPairs(rest)]);
  }

  /** Revokes an access token or a refresh token, as its client does (RFC 7009). @param client default: the first client */
  async revoke(token: string, client?: string): Promise<void> {
    await asClient(this.#asked, this.#parts.records.client(client), '/oauth2/revoke', [['token', token]]);
  }

  /** The next keys sign from now on. Those before stay in the key set until their tokens have expired, unless they are compromised. */
  async rotateKeys({ compromised = false }: RotateKeys = {}): Promise<void> {
    const before = await this.#keySet();
    const administration = await this.#administration();
    await administration('/rotation', { now: true });
    if (!compromised) return;
    for (const { kid } of before) await administration('/retirement', { kid, compromised });
  }

  /** Ends the server, and with it all that it has stored. */
  async close(): Promise<void> {
    this.faults.endAll();
    const sibling = this.#sibling;
    this.#sibling = undefined;
    await Promise.all([this.#parts.service.close(), sibling?.server.then((server) => server.close())]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #codeFlow(client: string, login: LoginDetails, request: AuthorizationRequest): Promise<Tokens> {
    const ticket = randomUUID();
    this.#parts.users.expect(ticket, login);
    return codeFlow(this.#asked, this.#parts.records.client(client), request, ticket);
  }

  /** @param ask asks a server for tokens; `isAtHome` is false for a client of another resource server */
  async #withFaults(
    clientId: string | undefined,
    ask: (server: TestServer, client: KnownClient, isAtHome: boolean) => Promise<Tokens>,
  ): Promise<Tokens> {
    const { faults, records } = this.#parts;
    const isAtHome = !faults.has('audience');
    const client = isAtHome
      ? records.client(clientId)
      : await this.#inTurn(() => this.#twinOf(records.client(clientId)));
    const tokens = await ask(
      faults.has('issuer') ? await this.#inTurn(() => this.#otherIssuer()) : this,
      client,
      isAtHome,
    );
    if (faults.has('revoked')) await this.revoke(tokens.accessToken, client.clientId);
    return tokens;
  }

  /** Does work after that of the calls before, so that calls at the same time do not make the same twice. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  /** The same client at a resource server that differs by its key alone. */
  async #twinOf({ given }: KnownClient): Promise<KnownClient> {
    const { records } = this.#parts;
    const [clientId, key] = [`${given.clientId}-elsewhere`, `${given.resourceServer}-elsewhere`];
    if (!records.clients.has(clientId)) {
      const home = records.givenServers.find((server) => server.key === given.resourceServer);
      if (!records.givenServers.some((server) => server.key === key)) {
        const { secret: _, name: __, resources: ___, ...fields } = home ?? {};
        await records.addResourceServer({ ...fields, key });
      }
      const { secret: _, ...fields } = given;
      await records.addClient({ ...fields, clientId, resourceServer: key });
    }
    return records.client(clientId);
  }

  /** A server that differs by its address, which is its issuer, alone: it signs with the keys of this one. */
  async #otherIssuer(): Promise<TestServer> {
    const { clients, givenServers } = this.#parts.records;
    const records = clients.size + givenServers.length;
    if (this.#sibling?.records !== records) {
      await (await this.#sibling?.server)?.close();
      this.#sibling = { server: this.#parts.sibling(), records, keys: new Set() };
    }
    await this.#shareKeys(this.#sibling);
    return this.#sibling.server;
  }

  async #shareKeys({ server, keys }: Sibling): Promise<void> {
    const missing = (await this.#keySet()).filter(({ kid }) => !keys.has(kid));
    if (missing.length === 0) return;
    const add = await (await server).#administration();
    for (const { kid, alg: algorithm, n, x } of missing) {
      const pair = this.#parts.keyPairs.find(({ publicKey }) => publicKey.n === n && publicKey.x === x);
      await add('', { privateKey: pair?.privateKey, algorithm, kid, now: true });
      keys.add(kid);
    }
  }

  async #keySet(): Promise<
    readonly { readonly kid: string; readonly alg: string; readonly n?: string; readonly x?: string }[]
  > {
    const { text } = await send(`${this.url}/oauth2/jwks`, { headers: this.#asked.headers });
    return JSON.parse(text).keys;
  }

  /** Posts to the signing keys, as an administrator. */
  async #administration(): Promise<(path: string, body: object) => Promise<void>> {
    const user = 'test-administrator';
    this.addUser({ name: user, isAdministrator: true });
    const ticket = randomUUID();
    this.#parts.users.expect(ticket, { user });
    const client = { clientId: administrationClientId, redirectUri: administrationRedirectUri(this.url) };
    const parameters = [['response_type', 'token'] as const, ['scope', 'read write'] as const];
    const granted = await authorize(this.#asked, client, ticket, parameters);
    const headers = {
      ...this.#asked.headers,
      authorization: `Bearer ${granted.get('access_token')}`,
      'content-type': 'application/json',
    };
    return async (path, body) => {
      const url = `${this.url}/admin/signingKey${path}`;
      const { status, text } = await send(url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (status >= 300) throw new TestServerError(`The server answered ${status} at ${url}: ${text}`);
    };
  }
}
