import type { ServerResponse } from 'node:http';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import type { TokenVerifier, TokenVerifierOptions } from '../../src/index.ts';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import {
  type AnswerRequest,
  accept,
  answerWith,
  type FakeAuthorizationServer,
  fakeAuthorizationServer,
  metadataOf,
  type ReceivedRequest,
} from './authorization-server.ts';
import { FakeSystem } from './fake-system.ts';

export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

const made = new Map<string, Promise<{ readonly publicKey: CryptoKey; readonly privateKey: CryptoKey }>>();

/** A key of the algorithm. One process makes few, because a key of RSA takes a part of a second. */
export async function signingKey(alg: string, kid = alg, variant = 1): Promise<SigningKey> {
  const name = `${alg} ${variant}`;
  const pair = made.get(name) ?? generateKeyPair(alg, { extractable: true });
  made.set(name, pair);
  const { publicKey, privateKey } = await pair;
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } };
}

export interface Revoked {
  readonly grants?: Record<string, number>;
  readonly clients?: Record<string, number>;
  readonly tokens?: Record<string, number>;
  readonly keys?: Record<string, number>;
}

type Claims = Record<string, unknown>;
/** Members of a header of a JWT, right or wrong. */
type Header = Record<string, unknown>;

/** An authorization server that signs access tokens, and answers as docs/revocation-feed.md says, over real HTTP. */
export interface JwtServer extends AsyncDisposable {
  readonly server: FakeAuthorizationServer;
  readonly system: FakeSystem;
  readonly verifier: TokenVerifier;
  readonly issuer: string;
  /** The keys of the JWK Set. */
  keys: SigningKey[];
  /** Signs access tokens and lists. */
  signer: SigningKey;
  /** The answers of the feed. */
  readonly lists: string[];
  /** Claims and header of lists that are not as they must be. */
  listClaims: Claims;
  listHeader: Header;
  /** Says 304 in place of a signed answer that nothing has changed, as older servers do. */
  isUnsigned: boolean;
  /** Members of the metadata that are not as they must be. */
  metadata: Claims;
  /** Answers requests of the feed in another way. */
  feed: AnswerRequest | undefined;
  /** Answers requests of token info. */
  tokenInfo: AnswerRequest;
  /** Answers requests of the JWK Set in another way. */
  jwks: AnswerRequest | undefined;
  /** Number of requests to the path. */
  count(path: string): number;
  issue(claims?: Claims, header?: Header, key?: SigningKey): Promise<string>;
  /** Adds entries to the list, and answers the requests that wait for a change. */
  revoke(entries: Revoked): Promise<void>;
  /** Resolves when JWTs are verified here. */
  ready(): Promise<void>;
  /** Lets time pass, in which nothing is revoked. @param milliseconds a multiple of 5,000 */
  passTime(milliseconds: number): Promise<void>;
  /** Answers the requests that wait: nothing has changed. */
  endWaiting(): Promise<void>;
  /** Resolves when a request waits for a change. */
  waiting(): Promise<void>;
}

export const byList = 'by the list of revocations';

/** Ways by which a JWT is verified. Each resolves when the verifier has taken it. */
export const waysToVerify: Readonly<Record<string, (test: JwtServer) => Partial<TokenVerifierOptions>>> = {
  [byList]: () => ({}),
  'by token info, because the feed is away': (test) => {
    test.feed = answerWith(503, {});
    return {};
  },
  'by token info, because the server has no list': (test) => {
    test.feed = answerWith(404, { error: 'not_found' });
    return {};
  },
  'by token info, because jwt.local is off': () => ({ jwt: { local: false } }),
};

export const later = 4_000_000_000;

/** @param path of token info */
export async function jwtServer(
  options: Partial<TokenVerifierOptions> = {},
  path = '/v1/tokeninfo',
): Promise<JwtServer> {
  const system = new FakeSystem();
  const key = await signingKey('EdDSA');
  const list: Record<keyof Revoked, Record<string, number>> = {
    grants: {},
    clients: {},
    tokens: {},
    keys: {},
  };
  const waiting: { readonly response: ServerResponse; readonly since: string; readonly isSigned: boolean }[] =
    [];
  let cursor = 0;

  const answerList = async (response: ServerResponse, since?: string, revoked: Revoked = list) => {
    const body = await sign(
      {
        iss: test.issuer,
        aud: 'orders-api',
        iat: seconds(),
        cursor: String(cursor),
        ...(since !== undefined && { since }),
        revoked,
        ...test.listClaims,
      },
      { typ: 'revocations+jwt', ...test.listHeader },
      test.signer,
    );
    test.lists.push(body);
    response.writeHead(200, { 'content-type': 'application/jwt', etag: `"${cursor}"` });
    response.end(body);
  };
  const answerFeed = ({ headers }: ReceivedRequest, response: ServerResponse) => {
    const since = headers['if-none-match']?.replaceAll('"', '');
    if (since !== String(cursor)) return void answerList(response, since);
    const { prefer = '' } = headers;
    const isSigned = !test.isUnsigned && prefer.includes('return=representation');
    if (prefer.includes('wait')) waiting.push({ response, since, isSigned });
    else void answerNothing({ response, since, isSigned });
  };
  const answerNothing = ({ response, since, isSigned }: (typeof waiting)[number]) => {
    if (!isSigned) return void response.writeHead(304).end();
    cursor += 1;
    return answerList(response, since, {});
  };
  const paths: Record<string, AnswerRequest> = {
    [path]: (request, response) => test.tokenInfo(request, response),
    '/.well-known/oauth-authorization-server': (request, response) =>
      answerWith(200, { ...metadataOf(test.issuer, path), ...test.metadata })(request, response),
    '/oauth2/jwks': (request, response) =>
      (test.jwks ?? answerWith(200, { keys: test.keys.map(({ jwk }) => jwk) }))(request, response),
    '/oauth2/revocations': (request, response) => (test.feed ?? answerFeed)(request, response),
  };
  const server = await fakeAuthorizationServer(
    (request, response) => (paths[request.url] ?? answerWith(404, {}))(request, response),
    options,
  );
  const seconds = () => Math.floor(system.now() / 1000);
  const sign = (claims: Claims, header: Header, by: SigningKey) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header } as JWTHeaderParameters)
      .sign(by.privateKey);
  let issued = 0;
  // The verifier pauses for so long between two requests.
  const isWaiting = () => {
    for (const pause of [50, 500]) if (system.isWaitingFor(pause)) system.advance(pause);
    return waiting.some(({ response }) => !response.destroyed);
  };

  const test: JwtServer = {
    server,
    system,
    verifier: composeVerifier({ ...server.options, tokenInfoUrl: new URL(path, server.url).href }, system),
    issuer: new URL(server.url).origin,
    keys: [key],
    signer: key,
    lists: [],
    listClaims: {},
    listHeader: {},
    isUnsigned: false,
    metadata: {},
    feed: undefined,
    tokenInfo: accept(),
    jwks: undefined,
    count: (path) => server.requests.filter(({ url }) => url === path).length,
    issue(claims = {}, header = {}, by = test.signer) {
      issued += 1;
      const usual = {
        iss: test.issuer,
        aud: 'orders-api',
        sub: 'subject-of-emma',
        client_id: 'web-shop',
        scope: 'read write',
        jti: `token-${issued}`,
        iat: seconds(),
        exp: seconds() + 3600,
        grant_id: 'grant-1',
      };
      return sign({ ...usual, ...claims }, { typ: 'at+jwt', ...header }, by);
    },
    async revoke(entries) {
      for (const member of Object.keys(entries) as (keyof Revoked)[]) {
        list[member] = Object.fromEntries([list[member], entries[member] ?? {}].flatMap(Object.entries));
      }
      cursor += 1;
      const version = cursor;
      const answered = waiting.splice(0).map(({ response, since }) => answerList(response, since));
      await Promise.all(answered);
      await eventually(() => isWaiting() || cursor !== version);
    },
    async ready() {
      await eventually(async () => (await test.verifier.verify(await test.issue())).claims !== undefined);
    },
    async passTime(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 5000) {
        system.advance(5000);
        await test.endWaiting();
        await eventually(isWaiting);
      }
    },
    async endWaiting() {
      await Promise.all(waiting.splice(0).map(answerNothing));
    },
    waiting: () => eventually(isWaiting),
    async [Symbol.asyncDispose]() {
      test.verifier.close();
      await server.stop();
    },
  };
  return test;
}

/** Waits for a condition, in turns of the event loop. @throws Error after very many of them */
export async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 20_000; turns += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the condition did not become true');
}
