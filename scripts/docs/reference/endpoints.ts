import type { Endpoint } from '../../../packages/server/src/http/endpoint.ts';
import { code, plain, table } from '../markdown.ts';

/** What each endpoint is for, beside those of the administration interface and of the files of pages. Markdown. */
const purposes: Readonly<Record<string, string>> = {
  '/': 'an overview of the other addresses: a page for people, JSON for programs',
  '/authorize':
    'asks a user for access: authorization code with PKCE, implicit ([RFC 6749](https://www.rfc-editor.org/rfc/rfc6749), [RFC 9700](https://www.rfc-editor.org/rfc/rfc9700), [parameters](docs/guides/authorization-requests.md))',
  '/oauth2/authorize': 'the same as `/authorize`',
  '/oauth2/token': 'issues tokens: authorization code, refresh token, client credentials',
  '/oauth2/par':
    'takes an authorization request from the client itself, before the browser comes ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126), [guide](docs/guides/authorization-requests.md))',
  '/v1/tokeninfo':
    'tells a resource server what a token permits; `POST` keeps the token out of access logs ([guide](docs/guides/protect-an-api.md))',
  '/oauth2/introspect':
    'the same in the form of [RFC 7662](https://www.rfc-editor.org/rfc/rfc7662), for resource servers, and for a client about its own tokens, refresh tokens included',
  '/oauth2/revoke':
    'revokes a token of the client ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)); a refresh token is revoked together with everything of its grant',
  '/oauth2/register':
    'registers a client, where `clients.registration` says who may ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591), [guide](docs/guides/open-clients.md#clients-that-register-themselves))',
  '/oauth2/register/:clientId':
    'the registration of such a client, for itself ([RFC 7592](https://www.rfc-editor.org/rfc/rfc7592))',
  '/oauth2/revocations':
    'the [revocation feed](docs/revocation-feed.md), for APIs that verify JWT access tokens themselves',
  '/oauth2/userinfo':
    'claims of the user for a client that [logs users in](docs/guides/openid-connect.md) ([OpenID Connect](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo))',
  '/oauth2/logout':
    '[logs users out](docs/guides/logout.md) for an application, and tells the other applications of the session ([RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html))',
  '/oauth2/jwks':
    'the public keys of [signed tokens](docs/guides/signing-keys.md) ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517))',
  '/.well-known/openid-configuration': 'metadata, for client libraries of OpenID Connect',
  '/.well-known/oauth-authorization-server':
    'the same metadata ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)), with `tokeninfo_endpoint` and `revocation_feed_endpoint` for APIs',
  '/.well-known/security.txt':
    'where to report a weakness ([RFC 9116](https://www.rfc-editor.org/rfc/rfc9116)), if `securityTxt.contact` says so',
  '/console': 'leads people to the administration pages, as `/console/`, `/admin` and `/client` do',
  '/.well-known/change-password': 'leads password managers to the page on which a user changes the password',
  '/.well-known/passkey-endpoints': 'leads password managers to the page on which a user sees to passkeys',
  '/.well-known/webauthn':
    'the origins whose pages can use the passkeys ([WebAuthn](https://www.w3.org/TR/webauthn-3/#sctn-related-origins))',
  '/account':
    'a user sees the profile, the applications with access and the login sessions; `/account/` leads here',
  '/account/withdraw': 'a user removes the access of an application; not for programs',
  '/account/data': 'a user downloads what is stored about the user',
  '/account/links':
    'the user of a local account links another identity provider, or removes a link; not for programs',
  '/account/link': 'the user agrees to such a link; not for programs',
  '/account/passkey': 'a user adds a passkey; not for programs',
  '/account/totp': 'a user adds an app for one-time codes; not for programs',
  '/account/recovery-codes': 'a user gets recovery codes; not for programs',
  '/account/recovery-codes/download': 'the same codes as a file; not for programs',
  '/account/factor': 'a user renames or removes a second factor; not for programs',
  '/account/delete': 'a user deletes the account; not for programs',
  '/account/sessions': 'a user ends login sessions; not for programs',
  '/account/password': 'the user of a [local account](docs/guides/accounts.md) changes the password',
  '/account/set-password': 'the user of a local account sets the password with a reset link',
  '/account/invitation': 'an invited person makes a local account',
  '/logout': 'ends the login session',
  '/login': 'a page of a login; not for programs',
  '/login/choose': 'the choice of a login at an identity provider; not for programs',
  '/login/:authenticator/*':
    'the endpoints of an [authentication module](docs/guides/authentication-modules.md), such as those of [SAML](packages/saml/README.md)',
  '/login/:authenticator/test':
    'begins a login with which an administrator tests an identity provider; not for programs',
  '/login/cancel': 'gives up a login: the application gets `access_denied`; not for programs',
  '/login/step/cancel': 'gives up a login at a step; not for programs',
  '/login/step': 'a [step](docs/guides/required-actions.md) of a login; not for programs',
  '/select/cancel': 'gives up a login at the choice of an account; not for programs',
  '/select': 'the choice of an account; not for programs',
  '/consent': 'the consent page; not for programs',
  '/again': 'begins a request again whose page is late; not for programs',
  '/switch': 'logs in another user; not for programs',
  '/language': 'shows a page in another language; not for programs',
  '/oauth2/echo': 'reports how a request arrived, to [`watchword doctor`](docs/guides/doctor.md) only',
  '/healthz': 'whether the process runs',
  '/readyz': 'whether the server can answer and write',
  '/metrics': '[metrics](docs/guides/metrics.md) for Prometheus',
};

/** Whether this page describes the endpoint: the reference of REST has the administration interface. */
function isShown({ path }: Endpoint): boolean {
  return path !== '' && !/^\/(?:admin|assets|client)(?:\/|$)|.\/$/.test(path);
}

/** Every endpoint of a server but those for administration. @throws Error for one without a purpose */
export function endpointReference(endpoints: readonly Endpoint[]): string {
  const methods = new Map(endpoints.filter(isShown).map((each) => [each.path, each]));
  const unnamed = [...methods.keys()].filter((path) => !(path in purposes));
  if (unnamed.length > 0) throw new Error(`say in reference/endpoints.ts what is for: ${unnamed.join()}`);
  const rows = Object.entries(purposes).flatMap(([path, purpose]) => {
    const endpoint = methods.get(path);
    if (endpoint === undefined) return [];
    return [[code(path), Object.keys(endpoint.methods).map(code).join(' '), scriptsOf(endpoint), purpose]];
  });
  return `# Endpoints

Every address is below the base URL. The [administration interface](packages/administration/src/openapi.ts) has a page of its own, and its pages for
browsers are at \`/client/client.html\`. *Scripts* says which scripts of other origins can read an answer.

${table(['address', 'methods', 'scripts', 'what it does'], rows)}

## Answers

Token info answers 401 for wrong credentials of the resource server, 410 for a token that has expired, and 404 for a token that is
unknown, revoked or not for this resource server. Its \`expires_in\` is the time of expiry in
epoch milliseconds; the \`expires_in\` of the token endpoint is a number of seconds. In both, 0 means that the token does not expire. Some
client libraries (requests-oauthlib, simple-oauth2, openid-client) read 0 as expired: for them, \`token.omitZeroExpiresIn\` leaves \`expires_in\` out of
the answer of the token endpoint. An implicit token always expires.

The \`audience\` of token info is the name of the client; the \`aud\` of introspection is the key of the resource server. The
\`username\` of introspection is the name of the user, which can change. Its \`sub\` stays the same, and no other user ever gets that \`sub\`: key
your data by \`sub\`.

[Errors](packages/protocol/src/model/errors/error-table.ts) are JSON with \`error\` and \`error_description\`. 503 with \`Retry-After\` means that the server
has not acknowledged the request: try again. 421 means that the request names a host for which a server on a loopback address does not answer: see
\`allowedHosts\`. The server answers with a token only after the token is on the disk. So a process that ends suddenly loses no token that a
client has. 500 \`server_error\` does not go away by itself: the log names the reason and, if the database is damaged, what to do.
`;
}

function scriptsOf({ origins }: Endpoint): string {
  if (origins === undefined) return 'none';
  return origins === 'every' ? 'all' : plain('of origins that public clients registered');
}
