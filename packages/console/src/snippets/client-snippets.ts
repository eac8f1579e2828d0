import type { Client } from '@watchword/admin-client';
import { t } from '../texts/texts.ts';
import { lines, type Snippet, scriptText, secretLine, shellWord } from './snippet.ts';

/**
 * Lines to paste, ready for one client: only what it is allowed.
 *
 * @param secret only directly after it was made
 */
export function clientSnippets(baseUrl: string, client: Client, secret?: string): readonly Snippet[] {
  return [
    ...(client.allowedClientCredentials ? clientCredentials(baseUrl, client, secret) : []),
    ...(client.redirectUris.length > 0 ? authorizationCode(baseUrl, client, secret) : []),
    ...(client.allowedImplicitGrant ? implicit(baseUrl, client) : []),
  ];
}

function clientCredentials(
  baseUrl: string,
  { clientId, scopes }: Client,
  secret: string | undefined,
): Snippet[] {
  return [
    {
      label: 'curl',
      lead: t('snippet.self'),
      text: lines(
        ...secretLine('SECRET', secret),
        `curl -u ${shellWord(clientId)}:"$SECRET" -d grant_type=client_credentials \\`,
        `  ${shellWord(`${baseUrl}/oauth2/token`)}`,
      ),
    },
    {
      label: 'openid-client',
      lead: t('snippet.selfNode'),
      text: lines(
        ...environmentOf(secret),
        "import * as client from 'openid-client';",
        '',
        'const config = await client.discovery(',
        `  new URL(${scriptText(baseUrl)}), ${scriptText(clientId)}, process.env.SECRET, undefined,`,
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
    ...(isPublic
      ? []
      : [
          {
            label: t('snippet.code.label'),
            lead: t('snippet.code.lead'),
            text: lines(
              `${baseUrl}/authorize?${address}`,
              '',
              ...secretLine('SECRET', secret),
              `curl -u ${shellWord(clientId)}:"$SECRET" -d grant_type=authorization_code \\`,
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
        '',
        'const config = await client.discovery(',
        `  new URL(${scriptText(baseUrl)}), ${scriptText(clientId)}, ${isPublic ? 'undefined, client.None()' : 'process.env.SECRET, undefined'},`,
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

/** Where a program has its secret from. */
function environmentOf(secret: string | undefined): readonly string[] {
  return secret === undefined ? [] : [...secretLine('SECRET', secret, true), '', '// app.js'];
}

/** The library rejects plain http unless an option allows it. */
function insecure(baseUrl: string): string {
  return baseUrl.startsWith('http:') ? ', execute: [client.allowInsecureRequests]' : '';
}
