import { createHash, randomBytes } from 'node:crypto';
import type { KnownClient } from './records.ts';
import { type Answer, basic, formType, type RequestParts, send } from './requests.ts';
import { TestServerError } from './test-server-error.ts';

/** Tokens, as the token endpoint answers (RFC 6749 §5.1). */
export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: string;
  /** Seconds. */
  readonly expiresIn: number | undefined;
  readonly scope: string | undefined;
  /** With the scope `openid`. */
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

export interface TokenRequest {
  /** Separated by spaces. Default: that of the server. */
  readonly scope?: string | undefined;
  /** URIs of resource servers (RFC 8707). */
  readonly resource?: string | readonly string[] | undefined;
}

export interface AuthorizationRequest extends TokenRequest {
  readonly nonce?: string | undefined;
  /** More parameters of the authorization request, such as `claims`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** A server, and the header fields of the requests that it gets from its test. */
export interface Asked {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The authorization code flow with PKCE. @param ticket a login hint that needs no page */
export async function codeFlow(
  asked: Asked,
  client: KnownClient,
  request: AuthorizationRequest,
  ticket: string,
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url');
  const answer = await authorize(asked, client, ticket, [
    ['response_type', 'code'],
    ['code_challenge', createHash('sha256').update(verifier).digest('base64url')],
    ['code_challenge_method', 'S256'],
    ...asPairs(request),
    ...(request.nonce === undefined ? [] : [['nonce', request.nonce] as const]),
    ...Object.entries(request.parameters ?? {}),
  ]);
  return tokenRequest(asked, client, [
    ['grant_type', 'authorization_code'],
    ['code', answer.get('code') ?? ''],
    ['code_verifier', verifier],
    ['redirect_uri', client.redirectUri ?? ''],
    ...resourcesOf(request),
  ]);
}

type Pairs = readonly (readonly [name: string, value: string])[];

export function asPairs({ scope, ...request }: TokenRequest): Pairs {
  return [...(scope === undefined ? [] : [['scope', scope] as const]), ...resourcesOf(request)];
}

function resourcesOf({ resource = [] }: TokenRequest): Pairs {
  return [resource].flat().map((each) => ['resource', each] as const);
}

/** Opens the authorization endpoint as a browser does, and allows what a page asks. @returns the parameters of the response */
export async function authorize(
  asked: Asked,
  { clientId, redirectUri }: Pick<KnownClient, 'clientId' | 'redirectUri'>,
  ticket: string,
  parameters: Pairs,
): Promise<URLSearchParams> {
  if (redirectUri === undefined)
    throw new TestServerError(`The client ${clientId} has no redirect URI, so no user can log in to it.`);
  const query = queryOf([
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ['login_hint', ticket],
    ...parameters,
  ]);
  const browser = browserOf(asked);
  let [url, answer] = await browser(`${asked.baseUrl}/authorize?${query}`);
  // The login and the consent are at most a few steps.
  for (let step = 0; step < 8; step += 1) {
    const location = answer.headers.location;
    if (location !== undefined) {
      const next = new URL(location, url);
      if (next.href.startsWith(redirectUri)) return responseOf(next, clientId);
      [url, answer] = await browser(next.href);
      continue;
    }
    const form = consentForm(answer.text);
    if (form === undefined) break;
    [url, answer] = await browser(new URL(form.action, url).href, form.body);
  }
  throw new TestServerError(
    `The login to ${clientId} ended on a page of the server (${answer.status}): ${wordsOf(answer.text)}`,
  );
}

function responseOf({ search, hash }: URL, clientId: string): URLSearchParams {
  const parameters = new URLSearchParams(hash === '' ? search : hash.slice(1));
  const error = parameters.get('error');
  if (error === null) return parameters;
  throw new TestServerError(
    `The login to ${clientId} failed: ${error}: ${parameters.get('error_description')}`,
  );
}

/** Keeps cookies, as a browser does. */
function browserOf({ headers }: Asked) {
  const cookies = new Map<string, string>();
  return async (url: string, body?: string): Promise<[url: string, answer: Answer]> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { ...headers, accept: 'text/html', ...(cookie !== '' && { cookie }) };
    const { origin } = new URL(url);
    const posted: RequestParts =
      body === undefined
        ? { headers: own }
        : { method: 'POST', headers: { ...own, ...formType, origin }, body };
    const answer = await send(url, posted);
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return [url, answer];
  };
}

/** The consent page, if this is one: with all its boxes ticked. */
function consentForm(html: string): { readonly action: string; readonly body: string } | undefined {
  const [, action, form = ''] =
    /<form id="consent" method="post" action="([^"]*)">(.*?)<\/form>/s.exec(html) ?? [];
  if (action === undefined) return undefined;
  const valuesOf = (name: string) =>
    [...form.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(
      ([, value = '']) => [name, decoded(value)] as const,
    );
  const fields = [...valuesOf('auth_state'), ...valuesOf('granted_scopes'), ['decision', 'allow'] as const];
  return { action: decoded(action), body: queryOf(fields) };
}

function decoded(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function wordsOf(html: string): string {
  const [, main = html] = /<main[^>]*>(.*?)<\/main>/s.exec(html) ?? [];
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

/** @throws TestServerError with the answer, if it is an error */
export async function tokenRequest(asked: Asked, client: KnownClient, form: Pairs): Promise<Tokens> {
  const answer = JSON.parse((await asClient(asked, client, '/oauth2/token', form)).text);
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    expiresIn: answer.expires_in,
    scope: answer.scope,
    idToken: answer.id_token,
    refreshToken: answer.refresh_token,
  };
}

/** Posts a form as the client. @throws TestServerError if the answer is an error */
export async function asClient(
  { baseUrl, headers }: Asked,
  { clientId, clientSecret }: KnownClient,
  path: string,
  form: Pairs,
): Promise<Answer> {
  const own: Pairs = clientSecret === undefined ? [['client_id', clientId]] : [];
  const answer = await send(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, ...formType, ...(clientSecret !== undefined && basic(clientId, clientSecret)) },
    body: queryOf([...form, ...own]),
  });
  if (answer.status !== 200)
    throw new TestServerError(
      `The server answered ${answer.status} to ${clientId} at ${path}: ${answer.text}`,
    );
  return answer;
}

function queryOf(pairs: Pairs): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
}
