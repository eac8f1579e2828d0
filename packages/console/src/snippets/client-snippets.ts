import type { Client } from '@watchword/admin-client';
import { usesSecret } from '../rules/uses-secret.ts';
import { t } from '../texts/texts.ts';
import { type Application, discoveryPath, frameworkSnippets, isInsecure } from './application.ts';
import { javascript } from './javascript.ts';
import { languages } from './languages.ts';
import { products } from './products.ts';
import { lines, type Snippet, scriptText, secretLine, shellWord } from './snippet.ts';

/** An address of the server that an application is told. */
interface ServerAddress {
  readonly name: 'issuer' | 'discovery' | 'authorization' | 'token' | 'userinfo' | 'jwks' | 'logout';
  readonly address: string;
}

/** Addresses of the server that the client uses. A library finds the others from the first. */
export function serverAddresses(issuer: string, client: Client): readonly ServerAddress[] {
  const hasUsers = client.redirectUris.length > 0;
  const isLogin = hasUsers && logsIn(client);
  const ofServer = {
    issuer: '',
    discovery: discoveryPath,
    ...(hasUsers && { authorization: '/oauth2/authorize' }),
    token: '/oauth2/token',
    ...(isLogin && { userinfo: '/oauth2/userinfo', jwks: '/oauth2/jwks', logout: '/oauth2/logout' }),
  } as const;
  return Object.entries(ofServer).map(([name, path]) => ({
    name: name as ServerAddress['name'],
    address: `${issuer}${path}`,
  }));
}

/**
 * Lines to paste, ready for one client: only what it is allowed.
 *
 * @param issuer the base URL of the server
 * @param secret only directly after it was made
 */
export function clientSnippets(issuer: string, client: Client, secret?: string): readonly Snippet[] {
  const { clientId, redirectUris, openidScopes, scopes } = client;
  const [redirectUri = ''] = redirectUris;
  const application: Application = {
    issuer,
    clientId,
    redirectUri,
    scopes: ['openid', ...openidScopes, ...scopes],
    client,
  };
  const logins = redirectUris.length > 0 && logsIn(client);
  return [
    ...(client.allowedClientCredentials ? clientCredentials(issuer, client, secret) : []),
    ...(logins ? frameworkSnippets([...javascript, ...languages, ...products], application) : []),
    ...(redirectUris.length > 0 ? authorizationCode(issuer, client, secret) : []),
    ...(client.allowedImplicitGrant ? implicit(issuer, client) : []),
  ];
}

function clientCredentials(baseUrl: string, client: Client, secret: string | undefined): Snippet[] {
  const { clientId, scopes } = client;
  const curl = {
    label: 'curl',
    lead: t('snippet.self'),
    text: lines(
      ...secretLine('SECRET', secret),
      `${curlAs(client)} -d grant_type=client_credentials \\`,
      `  ${shellWord(`${baseUrl}/oauth2/token`)}`,
    ),
  };
  return [
    ...(usesSecret(client) ? [curl] : []),
    {
      label: 'openid-client',
      lead: t('snippet.selfNode'),
      text: lines(
        ...environmentOf(secret),
        "import * as client from 'openid-client';",
        ...keyLines(client),
        '',
        'const config = await client.discovery(',
        `  new URL(${scriptText(baseUrl)}), ${scriptText(clientId)}, ${secretOf(client)},`,
        `  { algorithm: 'oauth2'${insecure(baseUrl)} },`,
        ');',
        'const { access_token } = await client.clientCredentialsGrant(config, {',
        `  scope: ${scriptText(scopes.join(' '))},`,
        '});',
      ),
    },
  ];
}

function authorizationCode(baseUrl: string, client: Client, secret: string | undefined): Snippet[] {
  const { clientId, redirectUris, confidential } = client;
  const [redirectUri = ''] = redirectUris;
  const isPublic = !confidential;
  const isLogin = logsIn(client);
  const scope = [...(isLogin ? ['openid', ...client.openidScopes] : []), ...client.scopes].join(' ');
  const address = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    // Without the parameter there is no scope of OpenID Connect.
    ...(isLogin && { scope }),
  });
  return [
    ...(!usesSecret(client)
      ? []
      : [
          {
            label: t('snippet.code.label'),
            lead: t('snippet.code.lead'),
            text: lines(
              `${baseUrl}/oauth2/authorize?${address}`,
              '',
              ...secretLine('SECRET', secret),
              `${curlAs(client)} -d grant_type=authorization_code \\`,
              `  --data-urlencode ${shellWord(`redirect_uri=${redirectUri}`)} -d code="$CODE" \\`,
              `  ${shellWord(`${baseUrl}/oauth2/token`)}`,
            ),
          },
        ]),
    {
      label: t('snippet.people.label'),
      lead: t('snippet.people.lead'),
      text: lines(
        ...environmentOf(secret),
        "import * as client from 'openid-client';",
        ...keyLines(client),
        '',
        'const config = await client.discovery(',
        `  new URL(${scriptText(baseUrl)}), ${scriptText(clientId)}, ${isPublic ? 'undefined, client.None()' : secretOf(client)},`,
        `  { algorithm: '${isLogin ? 'oidc' : 'oauth2'}'${insecure(baseUrl)} },`,
        ');',
        'const pkceCodeVerifier = client.randomPKCECodeVerifier();',
        "const expectedState = client.randomState(); // keep both in the person's session",
        '',
        'const address = client.buildAuthorizationUrl(config, {',
        `  redirect_uri: ${scriptText(redirectUri)},`,
        `  scope: ${scriptText(scope)},`,
        '  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),',
        "  code_challenge_method: 'S256',",
        '  state: expectedState,',
        '});',
        '',
        '// When they are back at the redirect URI, with its whole address:',
        'const tokens = await client.authorizationCodeGrant(config, currentUrl, {',
        '  pkceCodeVerifier, expectedState,',
        '});',
        ...(isLogin
          ? [
              'const { sub } = tokens.claims(); // the key of the user in your database',
              'const user = await client.fetchUserInfo(config, tokens.access_token, sub);',
            ]
          : []),
      ),
    },
  ];
}

/** Whether the client logs users in: it is registered for claims, or has nothing else to ask for. */
function logsIn({ openidScopes, scopes }: Client): boolean {
  return openidScopes.length > 0 || scopes.length === 0;
}

function implicit(
  baseUrl: string,
  { clientId, redirectUris: [redirectUri = ''], scopes }: Client,
): Snippet[] {
  const parameters = new URLSearchParams({
    response_type: 'token',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'RANDOM',
  });
  return [
    {
      label: t('snippet.implicit.label'),
      lead: t('snippet.implicit.lead'),
      text: `${baseUrl}/authorize?${parameters}`,
    },
  ];
}

function curlAs({ clientId, tokenEndpointAuthMethod }: Client): string {
  return tokenEndpointAuthMethod === 'client_secret_post'
    ? lines(`curl -d client_id=${shellWord(clientId)} --data-urlencode client_secret="$SECRET"`)
    : lines(`curl -u ${shellWord(clientId)}:"$SECRET"`);
}

/** The private key of a client that has keys, in the form that openid-client takes. */
function keyLines(client: Client): readonly string[] {
  if (!client.confidential || usesSecret(client)) return [];
  if (client.tokenEndpointAuthMethod === 'assertion_issuer')
    return ["import { readFile } from 'node:fs/promises';"];
  return [
    "import { readFile } from 'node:fs/promises';",
    "import { importPKCS8 } from 'jose';",
    '',
    lines("const pem = await readFile('private.pem', 'utf8');"),
    lines("const privateKey = await importPKCS8(pem, 'ES256');"),
  ];
}

/** The secret, and how openid-client sends it: without a choice in the body. */
function secretOf(client: Client): string {
  const { tokenEndpointAuthMethod } = client;
  if (tokenEndpointAuthMethod === 'assertion_issuer')
    return lines(
      'undefined, async (_server, { client_id }, form) => {',
      "  form.set('client_id', client_id);",
      "  form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');",
      "  form.set('client_assertion', await readFile(process.env.TOKEN_FILE, 'utf8'));",
      '}',
    );
  if (!usesSecret(client)) return lines('undefined, client.PrivateKeyJwt(privateKey)');
  return tokenEndpointAuthMethod === 'client_secret_basic'
    ? lines('process.env.SECRET, client.ClientSecretBasic(process.env.SECRET)')
    : lines('process.env.SECRET, undefined');
}

/** Where a program has its secret from. */
function environmentOf(secret: string | undefined): readonly string[] {
  return secret === undefined ? [] : [...secretLine('SECRET', secret, true), '', '// app.js'];
}

/** The library rejects plain http unless an option allows it. */
function insecure(baseUrl: string): string {
  return isInsecure(baseUrl) ? ', execute: [client.allowInsecureRequests]' : '';
}
