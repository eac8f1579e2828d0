import {
  clientAdministration,
  type ResourceServerRegistration,
  resourceServerAdministration,
  resourceServerDefaults,
  systemCaller,
} from '@watchword/administration';
import {
  type ClientRegistration,
  chosenSecret,
  clientDefaults,
  generateSecret,
  OAuthError,
  type Random,
  type ResourceServer,
  usesSecret,
} from '@watchword/protocol';
import type { Service } from '@watchword/server';
import { TestServerError } from './test-server-error.ts';

/** An API. Every field that a resource server has can be given; one that is left out has the default of the real server, but for these. */
export interface TestResourceServer extends Partial<ResourceServerRegistration> {
  /** Default: `api`. */
  readonly key?: string;
  /** At least 16 characters. Default: a random one. */
  readonly secret?: string;
  /** Default: `read` and `write`. */
  readonly scopes?: readonly string[];
}

/** What `createTokenVerifier` of `@watchword/resource-server` needs. */
export interface RegisteredResourceServer {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** An application. Every field that a client has can be given; one that is left out has the default of the real server, but for these. */
export interface TestClient extends Partial<ClientRegistration> {
  /** Default: `app`. */
  readonly clientId?: string;
  /** At least 16 characters. Default: a random one. A public client has none. */
  readonly secret?: string;
  /** Key of the resource server that is its home. Default: the first one. */
  readonly resourceServer?: string;
  /** Default: all scopes of its home. */
  readonly scopes?: readonly string[];
  /** Default: `http://localhost/callback`. */
  readonly redirectUris?: readonly string[];
  /** Default: `true`, so that only the login has a page. */
  readonly skipConsent?: boolean;
  /** Seconds. Default: 3600. */
  readonly expireDuration?: number;
}

export interface RegisteredClient {
  readonly clientId: string;
  /** A public client has none. */
  readonly clientSecret: string | undefined;
  /** The first one. */
  readonly redirectUri: string | undefined;
}

/** A client with what the server keeps of it. */
export interface KnownClient extends RegisteredClient {
  readonly isPublic: boolean;
  /** Seconds. */
  readonly lifetime: number;
  /** As it was given, with its secret. */
  readonly given: TestClient & { readonly clientId: string; readonly resourceServer: string };
}

const contactName = 'Test';

/** The records of a test server, which the operations of the administration make. */
export class TestRecords {
  readonly #service: Pick<Service, 'store' | 'baseUrl'>;
  readonly #random: Random;
  readonly #servers = new Map<string, ResourceServer>();
  /** As they were given, with their secrets. */
  readonly givenServers: TestResourceServer[] = [];
  readonly clients = new Map<string, KnownClient>();

  constructor(service: Pick<Service, 'store' | 'baseUrl'>, random: Random) {
    this.#service = service;
    this.#random = random;
  }

  async addResourceServer(given: TestResourceServer): Promise<RegisteredResourceServer> {
    const { key = 'api', secret = generateSecret(this.#random), ...fields } = given;
    if (this.#servers.has(key))
      throw new TestServerError(`This server has a resource server ${key} already.`);
    const adding = resourceServerAdministration(this.#dependencies()).create(
      systemCaller,
      { fields: { ...resourceServerDefaults, name: key, contactName, scopes: ['read', 'write'], ...fields } },
      { key, secret: chosenSecret(secret) },
    );
    const { resourceServer } = await explained(`The resource server ${key}`, adding);
    this.#servers.set(key, resourceServer);
    this.givenServers.push({ ...given, key, secret });
    return { url: this.#service.baseUrl, key, secret };
  }

  async addClient(given: TestClient): Promise<RegisteredClient> {
    const { clientId = 'app', secret: chosen, resourceServer: key, ...fields } = given;
    const home = this.#home(key);
    const { confidential = true, tokenEndpointAuthMethod = '' } = fields;
    const secret = usesSecret({ confidential, tokenEndpointAuthMethod })
      ? (chosen ?? generateSecret(this.#random))
      : undefined;
    if (this.clients.has(clientId))
      throw new TestServerError(`This server has a client ${clientId} already.`);
    const adding = clientAdministration(this.#dependencies()).create(
      systemCaller,
      home.id,
      {
        fields: {
          ...clientDefaults,
          clientName: clientId,
          contactName,
          scopes: home.scopes,
          redirectUris: ['http://localhost/callback'],
          allowedClientCredentials: confidential,
          useRefreshTokens: true,
          skipConsent: true,
          expireDuration: 3600,
          openidScopes: ['profile', 'email', 'address', 'phone', 'offline_access', 'groups'],
          ...fields,
        },
      },
      { clientId, ...(secret !== undefined && { secret: chosenSecret(secret) }) },
    );
    const { client } = await explained(`The client ${clientId}`, adding);
    const registered = { clientId, clientSecret: secret, redirectUri: client.redirectUris[0] };
    this.clients.set(clientId, {
      ...registered,
      isPublic: !client.confidential,
      lifetime: client.expireDuration,
      given: { ...given, clientId, resourceServer: home.key, ...(secret !== undefined && { secret }) },
    });
    return registered;
  }

  /** @param clientId default: that of the first client */
  client(clientId: string | undefined): KnownClient {
    const [first] = this.clients.values();
    const found = clientId === undefined ? first : this.clients.get(clientId);
    if (found !== undefined) return found;
    const known = [...this.clients.keys()].join(', ') || 'none: add one by addClient()';
    throw new TestServerError(`This server has no client ${clientId ?? ''}; it has ${known}.`);
  }

  #home(key: string | undefined): ResourceServer {
    const [first] = this.#servers.values();
    const found = key === undefined ? first : this.#servers.get(key);
    if (found !== undefined) return found;
    const known = [...this.#servers.keys()].join(', ') || 'none: add one by addResourceServer()';
    throw new TestServerError(`This server has no resource server ${key ?? ''}; it has ${known}.`);
  }

  #dependencies() {
    return { ...this.#service.store, random: this.#random };
  }
}

/** @throws TestServerError with all that is wrong with the record */
async function explained<Value>(record: string, adding: Promise<Value>): Promise<Value> {
  try {
    return await adding;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const reasons = error.violations?.join('; ') ?? error.message;
    throw new TestServerError(`${record} cannot be registered: ${reasons}`, { cause: error });
  }
}
