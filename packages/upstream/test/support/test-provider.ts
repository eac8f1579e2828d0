import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { rsaKey } from '@watchword/testkit/rsa-key';
import { startSite } from '@watchword/testkit/site';
import { exportJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';

type Members = Record<string, unknown>;
type Params = Record<string, string>;

/** One key of the provider. Tests name keys, so that equal names share the primes. */
export interface ProviderKey {
  readonly name: string;
  readonly kid: string | undefined;
}

/** What the provider does otherwise than a right one. */
export interface Twist {
  readonly metadata?: (members: Members) => Members;
  /** Changes the claims of ID tokens; a member that is `undefined` is left out. */
  readonly claims?: (claims: Members) => Members;
  /** Writes the token in place of the provider. */
  readonly idToken?: (claims: Members) => Promise<string> | string;
  readonly userinfo?: (claims: Members) => Members;
  /** Answers in place of UserInfo. */
  readonly userinfoAnswer?: (response: ServerResponse, claims: Members) => Promise<void> | void;
  /** Changes the parameters of the authentication response. */
  readonly response?: (params: Params) => Params;
  /** Answers in place of the token endpoint. */
  readonly tokenAnswer?: (response: ServerResponse) => void;
  /** The path of a right provider, for a path of this one. */
  readonly path?: (path: string) => string;
  /** Answers any request, if it returns `true`. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A provider of the tests. It logs every browser in as `person`, at once. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly host: string;
  /** The parameters of authentication requests. */
  readonly requests: Params[];
  /** Of token requests, with the `authorization` header. */
  readonly tokenRequests: (Params & { readonly authorization?: string })[];
  /** The `authorization` headers of UserInfo requests. */
  readonly userinfoRequests: (string | undefined)[];
  /** Paths of all requests. */
  readonly paths: string[];
  twist: Twist;
  person: Members;
  /** The first one signs, all are published. */
  keys: readonly ProviderKey[];
  sign(claims: Members, header?: Members): Promise<string>;
  /** A logout token of a person who is logged in. */
  logoutToken(clientId: string, change?: Members, header?: Members): Promise<string>;
}

export const clientId = 'watchword at the provider';
export const clientSecret = 'a secret: with % and +';
export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export const firstKey: ProviderKey = { name: 'idp', kid: 'one' };
export const secondKey: ProviderKey = { name: 'other', kid: 'two' };

interface Granted {
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly maxAge: string | undefined;
}

export async function startTestProvider(): Promise<TestProvider> {
  const codes = new Map<string, Granted>();
  const accessTokens = new Set<string>();
  const site = await startSite((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.writeHead(500).end(`the provider: ${String(error)}`),
    );
  });
  const issuer = site.url;
  const provider: TestProvider = {
    issuer,
    host: new URL(issuer).host,
    requests: [],
    tokenRequests: [],
    userinfoRequests: [],
    paths: [],
    twist: {},
    person: { sub: 'user-1', name: 'Emma', sid: 'session-1' },
    keys: [firstKey],
    sign,
    logoutToken: (audience, change = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: audience, iat: now, exp: now + 120, jti: randomUUID() };
      const whole = { ...claims, events: { [logoutEvent]: {} }, sub: provider.person.sub, ...change };
      return sign(whole, { typ: 'logout+jwt', ...header });
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
  return provider;

  function sign(claims: Members, header: Members = {}): Promise<string> {
    const [{ name, kid } = firstKey] = provider.keys;
    const protectedHeader = { alg: 'RS256', ...(kid !== undefined && { kid }), ...header };
    const payload = JSON.parse(JSON.stringify(claims));
    if (protectedHeader.alg === 'none') return Promise.resolve(new UnsecuredJWT(payload).encode());
    const key = protectedHeader.alg.startsWith('HS') ? Buffer.from(clientSecret) : rsaKey(name, 2048);
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key);
  }

  async function published(): Promise<readonly JWK[]> {
    return Promise.all(
      provider.keys.map(async ({ name, kid }) => {
        const { kty, n, e } = await exportJWK(rsaKey(name, 2048));
        return { kty, n, e, use: 'sig', ...(kid !== undefined && { kid }) } as JWK;
      }),
    );
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { twist } = provider;
    const { url: path = '' } = request;
    const url = new URL(twist.path?.(path) ?? path, issuer);
    provider.paths.push(url.pathname);
    if (twist.answer?.(request, response) === true) return;
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, { ...metadata(), ...twist.metadata?.(metadata()) });
      case '/jwks':
        return json(response, { keys: await published() });
      case '/authorize':
        return authorize(Object.fromEntries(url.searchParams), response);
      case '/token':
        return token(request, response);
      case '/userinfo': {
        const { authorization } = request.headers;
        provider.userinfoRequests.push(authorization);
        if (!accessTokens.has(authorization?.replace('Bearer ', '') ?? '')) {
          response.writeHead(401).end();
          return;
        }
        const { sid: _, ...claims } = provider.person;
        const said = twist.userinfo?.(claims) ?? claims;
        return twist.userinfoAnswer === undefined
          ? json(response, said)
          : twist.userinfoAnswer(response, said);
      }
      default:
        response.writeHead(404).end();
    }
  }

  function metadata(): Members {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize?tenant=1`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'HS256', 'none'],
    };
  }

  function authorize(params: Params, response: ServerResponse): void {
    provider.requests.push(params);
    const code = randomUUID();
    const { redirect_uri: redirectUri = '', state = '', nonce, code_challenge: challenge = '' } = params;
    codes.set(code, { nonce, challenge, redirectUri, maxAge: params.max_age });
    const given = { code, state };
    const sent = provider.twist.response?.(given) ?? given;
    response.writeHead(303, { location: `${redirectUri}?${new URLSearchParams(sent)}` }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    const params = Object.fromEntries(new URLSearchParams(await text(request)));
    provider.tokenRequests.push({ ...params, ...(authorization !== undefined && { authorization }) });
    if (provider.twist.tokenAnswer !== undefined) return provider.twist.tokenAnswer(response);
    const granted = codes.get(params.code ?? '');
    codes.delete(params.code ?? '');
    const challenge = createHash('sha256')
      .update(params.code_verifier ?? '')
      .digest('base64url');
    if (granted?.challenge !== challenge || granted.redirectUri !== params.redirect_uri) {
      return json(response, { error: 'invalid_grant' }, 400);
    }
    const accessToken = randomUUID();
    accessTokens.add(accessToken);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...provider.person,
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: granted.nonce,
      ...(granted.maxAge !== undefined && { auth_time: now }),
    };
    const { twist } = provider;
    const said = twist.claims === undefined ? claims : { ...claims, ...twist.claims(claims) };
    const idToken = await (twist.idToken ?? sign)(said);
    return json(response, { access_token: accessToken, token_type: 'Bearer', id_token: idToken });
  }
}

export function json(response: ServerResponse, members: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(members));
}
