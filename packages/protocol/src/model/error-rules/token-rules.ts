import type { ErrorRule } from './error-rule.ts';

const again = 'Send the user through the authorization endpoint again.';

/** Rules of clients and resource servers that call the server: authentication, grants, scopes and tokens. */
export const tokenRules = {
  client_credentials: {
    requirement:
      'A request has the credentials of a client or resource server, in the form that the server takes.',
    section: 'RFC 6749 §2.3.1',
    advice: 'Send identifier and secret by HTTP Basic, both form-urlencoded, or in the body of the request.',
  },
  registered_caller: {
    requirement:
      'The identifier in the credentials of a request is the clientId of a registered client, or the key of a registered resource server.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client list',
    advice:
      'Compare the identifier with the list, letter by letter. For token info it is the key that watchword resource-server list shows.',
  },
  client_secret: {
    requirement: 'The secret of a request is the current one of the client.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client rotate-secret {client} --overlap 3600',
    advice:
      'Compare where the application reads its secret. If the secret is lost, the command gives the client a new one.',
  },
  resource_server_secret: {
    requirement: 'The secret of a request is the current one of the resource server.',
    section: 'RFC 7662 §2.1',
    command: 'watchword resource-server rotate-secret {resourceServer}',
    advice:
      'Compare where the API reads its secret. If the secret is lost, the command gives the resource server a new one.',
  },
  replaced_secret: {
    requirement: 'A secret that was replaced is used only within the overlap of its rotation.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client rotate-secret {client} --overlap 3600',
    advice:
      'Give the application the secret of the last rotation. If it is lost, the command gives the client a new one.',
  },
  public_client: {
    requirement: 'A public client sends its client_id alone.',
    section: 'RFC 6749 §3.2.1',
    command: 'watchword client update {client} --confidential true',
    advice:
      'Remove the secret from the configuration of the application. If the application can keep a secret, make the client confidential and rotate its secret.',
  },
  confidential_client: {
    requirement: 'A confidential client authenticates with its secret.',
    section: 'RFC 6749 §3.2.1',
    command: 'watchword client show {client}',
    advice:
      'Configure the secret in the application. Only if it runs in a browser or on a device, make the client public by the option --public of client update: from then on nobody needs the secret. Anybody who knows the clientId can send such a request.',
  },
  issued_secret: {
    requirement: 'A confidential client has a secret.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client rotate-secret {client}',
    advice: 'Give the client a secret.',
  },
  accepted_method: {
    requirement: 'The endpoint takes the method of client authentication.',
    section: 'RFC 8414 §2',
    advice: 'Use a method that the metadata of the server names for the endpoint.',
  },
  one_method: {
    requirement: 'A client authenticates by one method, and its client_id is the same everywhere.',
    section: 'RFC 6749 §2.3',
    advice: 'Send the secret by HTTP Basic or in the body, and not by both.',
  },
  few_failures: {
    requirement: 'From one network address there are not too many failed attempts in a minute.',
    section: 'RFC 6749 §10.10',
    advice:
      'Wait for the seconds of Retry-After, and mend the cause of the failures before. The settings failedAttempts.perIdentifier and failedAttempts.perAddress are the limits. A proxy must be named in trustedProxies.',
  },
  supported_grant_type: {
    requirement: 'The grant_type of a token request is one that the server supports.',
    section: 'RFC 6749 §5.2',
    advice: 'Use the authorization code grant with PKCE for users, and client credentials for jobs.',
  },
  allowed_grant_type: {
    requirement: 'The registration of the client allows the grant_type of its request.',
    section: 'RFC 6749 §5.2',
    command: 'watchword client show {client}',
    advice: 'Compare the registration with the grant type that the application uses.',
  },
  allowed_client_credentials: {
    requirement: 'Only a confidential client that can act for itself uses client credentials.',
    section: 'RFC 6749 §4.4',
    command: 'watchword client update {client} --allow-client-credentials true',
    advice: 'Allow it, if the client works without a user.',
  },
  allowed_code: {
    requirement: 'Only a client with a redirect URI uses authorization codes.',
    section: 'RFC 6749 §4.1',
    command: 'watchword client update {client} --redirect-uri REDIRECT_URI',
    advice: 'Register the address to which users return.',
  },
  allowed_refresh_tokens: {
    requirement: 'Only a client that gets refresh tokens uses them.',
    section: 'RFC 6749 §6',
    command: 'watchword client update {client} --use-refresh-tokens true',
    advice: 'Allow it, if the client needs access while its user is away.',
  },
  known_code: {
    requirement: 'A code is an authorization code that the server has issued to the client.',
    section: 'RFC 6749 §4.1.3',
    advice: `The application must send the code as it came, decoded once, with the client that requested it. ${again}`,
  },
  code_redirect_uri: {
    requirement: 'The redirect_uri of a token request is that of the authorization request.',
    section: 'RFC 6749 §4.1.3',
    advice:
      'Send the same text in both requests. Look for a slash at the end, http in place of https, and another port.',
  },
  code_verifier: {
    requirement:
      'The SHA-256 digest of the code_verifier is the code_challenge of the authorization request.',
    section: 'RFC 7636 §4.6',
    advice:
      'The application must keep the verifier of this login until the token request: look for two logins that share one place, or a lost session.',
  },
  code_challenge_first: {
    requirement: 'A code_verifier comes only after a code_challenge, and a public client has both.',
    section: 'RFC 9700 §4.8.2',
    advice: `Send a code_challenge in the authorization request. ${again}`,
  },
  unused_code: {
    requirement: 'A code is redeemed once.',
    section: 'RFC 6749 §4.1.2',
    advice: `The application must not repeat the token request, also not when the user reloads the page. Everything that was issued for the code is revoked. ${again}`,
  },
  code_lifetime: {
    requirement: 'A code is redeemed within its lifetime.',
    section: 'RFC 6749 §4.1.2',
    advice: 'Redeem the code at once. The setting code.lifetime is its lifetime in seconds.',
  },
  active_grant: {
    requirement: 'The grant of a code or token has not ended.',
    section: 'RFC 6749 §5.2',
    command: 'watchword grant list --client {client}',
    advice: again,
  },
  configured_provider: {
    requirement: 'The identity provider of the user is one that the server has now.',
    command: 'watchword identity-provider list',
    advice: 'Configure the identity provider again, or let the user log in by another one.',
  },
  unrevoked: {
    requirement: 'A code or token was issued after all tokens of its client were revoked the last time.',
    section: 'RFC 7009 §2.1',
    advice: again,
  },
  known_refresh_token: {
    requirement: 'A refresh token is one that the server has issued to the client, and is not revoked.',
    section: 'RFC 6749 §6',
    advice: `Look whether two instances of the application share a token, or an older token was restored. ${again}`,
  },
  refresh_token_lifetime: {
    requirement: 'A refresh token is used before it expires.',
    section: 'RFC 6749 §6',
    advice: `The settings refresh.idleLifetime and refresh.lifetime are the lifetimes in seconds. ${again}`,
  },
  unused_refresh_token: {
    requirement: 'A refresh token is used once: each answer brings the next one.',
    section: 'RFC 9700 §4.14.2',
    advice: `Store the token of each answer before anything else, and let only one request refresh at a time. If the grant was revoked, another application can have the token. ${again}`,
  },
  same_scope_again: {
    requirement: 'A refresh request is repeated only with the same scope.',
    section: 'RFC 6749 §6',
    advice: 'Use the token of the answer for a request with another scope.',
  },
  scope_syntax: {
    requirement: 'A scope is a list of scope tokens, separated by spaces.',
    section: 'RFC 6749 §3.3',
    advice:
      'Correct the parameter. For clients that separate scopes by commas there is the setting scope.commaSeparated.',
  },
  available_scope: {
    requirement: 'A request asks only for scopes that the client, or the grant of the user, has.',
    section: 'RFC 6749 §3.3',
    command: 'watchword client update {client} --scope SCOPE',
    advice:
      'Give the client the scope: name all of its scopes, because they replace the registered ones. Its resource server must have each of them. For scopes of OpenID Connect the option is --openid-scope. A refresh gets no more than the user has consented to.',
  },
  access_token_length: {
    requirement:
      'An access token has at most 14,336 characters, so that requests with it pass servers and proxies.',
    command: 'watchword client show {client}',
    advice:
      'Let the application ask for fewer scopes, or shorten their names. Roles and groups of the user are in a JWT too: let the authentication module return fewer. Opaque access tokens (accessTokenFormat of the resource server) are always short.',
  },
  known_token: {
    requirement:
      'A token is one that the server has issued, that is not revoked, and that belongs to a client of the caller.',
    section: 'RFC 7662 §2.2',
    advice: 'The client of the resource server must get a new token.',
  },
  token_of_resource_server: {
    requirement: 'A resource server asks only about tokens of its own clients.',
    section: 'RFC 7662 §4',
    command: 'watchword resource-server show {resourceServer}',
    advice:
      'The token belongs to a client of the resource server that the command shows. The application sends it to another API, or the API authenticates with the key of another resource server.',
  },
  token_lifetime: {
    requirement: 'An access token is used before it expires.',
    section: 'RFC 6750 §3.1',
    command: 'watchword client update {client} --expire-duration SECONDS',
    advice:
      'The application must get a new token in time, by expires_in of the token response. The command changes the lifetime of new tokens.',
  },
  bearer_token: {
    requirement: 'A request has an access token in the Authorization header, after Bearer.',
    section: 'RFC 6750 §2.1',
    advice: 'Send the header. A proxy must pass it on.',
  },
  valid_bearer_token: {
    requirement:
      'The access token of a request is valid here: not expired, not revoked, and of a client of this API.',
    section: 'RFC 6750 §3.1',
    advice:
      'Get a new token. For the administration interface, its client belongs to authorization-server-admin.',
  },
  one_bearer_token: {
    requirement: 'A request has its access token in one place.',
    section: 'RFC 6750 §2',
    advice: 'Send the token in the Authorization header alone.',
  },
  sufficient_scope: {
    requirement: 'The access token of a request has the scope that the address needs.',
    section: 'RFC 6750 §3.1',
    command: 'watchword client update {client} --scope SCOPE',
    advice:
      'Ask for the scope when the token is requested; the client must have it. The command replaces all scopes of the client.',
  },
} as const satisfies Record<string, ErrorRule>;
