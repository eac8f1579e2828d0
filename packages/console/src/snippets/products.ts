import { type Application, discoveryPath, type Framework, originOf } from './application.ts';
import { lines, shellWord } from './snippet.ts';

/** Products whose settings name the server. The guides of docs/guides/log-users-in have the same lines, and a test compares them. */
export const products: readonly Framework[] = [
  { label: 'Grafana', path: '/login/generic_oauth', texts: grafana },
  { label: 'Gitea', path: '/user/oauth2/watchword/callback', texts: gitea },
];

function grafana({ issuer, clientId, redirectUri, scopes, client }: Application): readonly string[] {
  const origin = originOf(redirectUri);
  const back = `${origin}/login`;
  const logout = `${issuer}/oauth2/logout?client_id=${clientId}&post_logout_redirect_uri=${encodeURIComponent(back)}`;
  return [
    lines(
      '# grafana.ini',
      '[server]',
      `root_url = ${origin}/`,
      '',
      '[auth.generic_oauth]',
      'enabled = true',
      'name = Watchword',
      `client_id = ${clientId}`,
      'client_secret = $__file{/etc/grafana/client-secret}',
      `scopes = ${scopes.join(' ')}`,
      `auth_url = ${issuer}/oauth2/authorize`,
      `token_url = ${issuer}/oauth2/token`,
      `api_url = ${issuer}/oauth2/userinfo`,
      ...(client.postLogoutRedirectUris.includes(back) ? [`signout_redirect_url = ${logout}`] : []),
      'use_pkce = true',
      'login_attribute_path = preferred_username',
      ...(scopes.includes('groups')
        ? ["role_attribute_path = contains(groups[*], 'grafana-admins') && 'Admin' || 'Viewer'"]
        : []),
    ),
  ];
}

function gitea({ issuer, clientId, scopes }: Application): readonly string[] {
  const others = scopes.filter((scope) => scope !== 'openid').join(' ');
  return [
    lines(
      `gitea admin auth add-oauth --name watchword --provider openidConnect --key ${shellWord(clientId)} --secret "$SECRET" \\`,
      `  --auto-discover-url ${shellWord(`${issuer}${discoveryPath}`)} --scopes ${shellWord(others)}`,
    ),
    lines('# app.ini', '[oauth2_client]', 'ENABLE_AUTO_REGISTRATION = true', 'USERNAME = preferred_username'),
  ];
}
