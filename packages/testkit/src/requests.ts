import {
  type CredentialedRequest,
  OAuthError,
  type PresentedTokenRequest,
  type ProtocolErrorName,
  parseParameters,
} from '@watchword/protocol';

/** The `Authorization` header of HTTP Basic for `id:secret`. */
export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** A form; a list is a parameter that is repeated. */
export type TestForm = Readonly<Record<string, string | readonly string[]>>;

export function formText(form: TestForm): string {
  const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs).toString();
}

/** A form request, with HTTP Basic if `credentials` (`id:secret`) are given. */
export function clientRequest(
  form: TestForm = {},
  credentials?: string,
  source = '192.0.2.1',
): CredentialedRequest {
  return {
    method: 'POST',
    url: 'https://as.example/oauth2/token',
    headers: credentials === undefined ? {} : { authorization: basic(credentials) },
    parameters: parseParameters(formText(form)),
    source,
  };
}

/** A request that presents an access token in its header. */
export function presentedRequest(
  authorization: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): PresentedTokenRequest {
  const all = { ...headers, ...(authorization !== undefined && { authorization }) };
  const head = {
    method: 'GET',
    url: 'https://as.example/oauth2/userinfo',
    headers: all,
    source: '192.0.2.7',
  };
  return { hasTokenInQuery: false, head };
}

/** A token info or introspection request. */
export function introspectRequest(token: string, credentials?: string): CredentialedRequest {
  return clientRequest({ token }, credentials);
}

/** For `assert.throws` and `assert.rejects`: accepts only an error of the protocol with that name. */
export function protocolError(kind: ProtocolErrorName): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof OAuthError && error.kind === kind) return true;
    throw new Error(`expected the error ${kind}, got ${error}`, { cause: error });
  };
}
