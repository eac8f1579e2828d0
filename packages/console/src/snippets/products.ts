import { type Application, discoveryPath, type Framework, originOf } from './application.ts';
import { lines, shellWord } from './snippet.ts';

/** Products whose settings name the server. The guides of docs/guides/log-users-in have the same lines, and a test compares them. */
export const products: readonly Framework[] = [
  { label: 'Grafana', path: '/login/generic_oauth', texts: grafana },
  { label: 'Gitea', path: '/user/oauth2/watchword/callback', texts: gitea },
  { label: 'nginx', path: '/oauth2/callback', texts: nginx },
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

/** nginx has no login of its own, so oauth2-proxy stands behind it, in front of the website. */
function nginx({ issuer, clientId, redirectUri, client }: Application): readonly string[] {
  return [
    lines(
      '# oauth2-proxy.cfg',
      'provider = "oidc"',
      `oidc_issuer_url = "${issuer}"`,
      `client_id = "${clientId}"`,
      'client_secret_file = "/etc/oauth2-proxy/client-secret"',
      `redirect_url = "${redirectUri}"`,
      'code_challenge_method = "S256"',
      'email_domains = ["*"]',
      ...(client.useRefreshTokens ? ['cookie_refresh = "4m"'] : []),
      'reverse_proxy = true',
      'trusted_proxy_ips = ["127.0.0.1"]',
      'upstreams = ["http://127.0.0.1:3000/"]',
    ),
    lines(
      `printf 'cookie_secret = "%s"\\n' "$(openssl rand -base64 32 | tr -- '+/' '-_')" >> oauth2-proxy.cfg`,
    ),
    lines(
      '# nginx.conf',
      'proxy_buffer_size 16k;',
      'proxy_buffers 8 16k;',
      'location / {',
      '  proxy_pass http://127.0.0.1:4180;',
      '  proxy_set_header Host $http_host;',
      '  proxy_set_header X-Forwarded-For $remote_addr;',
      '  proxy_set_header X-Forwarded-Proto $scheme;',
      '}',
    ),
  ];
}
