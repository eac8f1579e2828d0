import { type Application, type Framework, originOf, portOf } from './application.ts';
import { lines, scriptText } from './snippet.ts';

/** Libraries for JavaScript. The guides of docs/guides/log-users-in have the same lines, and a test compares them. */
export const javascript: readonly Framework[] = [
  { label: 'Express', path: '/callback', texts: express },
  { label: 'Next.js', path: '/api/auth/callback/watchword', texts: authJs },
  { label: 'SPA', isPublic: true, texts: browserApplication },
];

function express({ issuer, clientId, redirectUri, scopes, client }: Application): readonly string[] {
  return [
    lines(
      '# .env',
      `PORT=${portOf(redirectUri)}`,
      `BASE_URL=${originOf(redirectUri)}`,
      `ISSUER_BASE_URL=${issuer}`,
      `CLIENT_ID=${clientId}`,
      'CLIENT_SECRET=the-printed-secret',
      'SECRET=a-long-random-text-of-your-own-32-characters',
    ),
    lines(
      '// app.mjs',
      "import express from 'express';",
      "import openid from 'express-openid-connect';",
      '',
      'const { auth, requiresAuth } = openid;',
      'const app = express();',
      'app.use(',
      '  auth({',
      '    // Without it, the library asks for the ID token alone, by the implicit grant.',
      `    authorizationParams: { response_type: 'code', scope: ${scriptText(scopes.join(' '))} },`,
      '    authRequired: false,',
      ...(client.postLogoutRedirectUris.length > 0 ? ['    idpLogout: true,'] : []),
      '  }),',
      ');',
      "app.get('/', (request, response) => {",
      `  response.send(request.oidc.isAuthenticated() ? '<a href="/logout">Log out</a>' : '<a href="/login">Log in</a>');`,
      '});',
      "app.get('/profile', requiresAuth(), async (request, response) => {",
      '  const { name, email } = await request.oidc.fetchUserInfo();',
      '  response.json({ sub: request.oidc.user.sub, name, email });',
      '});',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the line is a program
      'app.listen(process.env.PORT, () => console.log(`open ${process.env.BASE_URL}`));',
    ),
    lines('npm install express@5.3.0 express-openid-connect@3.4.0', 'node --env-file=.env app.mjs'),
  ];
}

function authJs({ issuer, clientId, scopes, client }: Application): readonly string[] {
  return [
    lines(
      '# .env.local',
      'AUTH_SECRET=a-long-random-text-of-your-own-32-characters',
      `AUTH_WATCHWORD_ISSUER=${issuer}`,
      `AUTH_WATCHWORD_ID=${clientId}`,
      'AUTH_WATCHWORD_SECRET=the-printed-secret',
    ),
    lines(
      '// watchword.js',
      'export const watchword = {',
      "  id: 'watchword',",
      "  name: 'Watchword',",
      "  type: 'oidc',",
      "  checks: ['pkce', 'state', 'nonce'],",
      `  authorization: { params: { scope: ${scriptText(scopes.join(' '))} } },`,
      ...(client.claimsInIdToken
        ? []
        : [
            '  // Name and e-mail address are in the answer of the userinfo endpoint. A client with claims in ID tokens needs no such line.',
            '  idToken: false,',
          ]),
      '};',
    ),
    lines(
      '// auth.js',
      "import NextAuth from 'next-auth';",
      "import { watchword } from './watchword.js';",
      '',
      'export const { handlers, auth, signIn, signOut } = NextAuth({',
      '  providers: [watchword],',
      '  callbacks: {',
      '    // The key of the user in your database.',
      '    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),',
      '    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),',
      '  },',
      '});',
    ),
    lines(
      '// app/api/auth/[...nextauth]/route.js',
      "import { handlers } from '../../../../auth.js';",
      '',
      'export const { GET, POST } = handlers;',
    ),
    lines('npm install next@16.4.6 react@19.3.1 react-dom@19.3.1 next-auth@5.0.0-beta.32'),
  ];
}

function browserApplication({ issuer, clientId, redirectUri, scopes, client }: Application) {
  const logsOut = client.postLogoutRedirectUris.includes(redirectUri);
  return [
    lines(
      '// app.js: npm install oidc-client-ts',
      "import { UserManager } from 'oidc-client-ts';",
      '',
      `const home = ${scriptText(redirectUri)};`,
      'const users = new UserManager({',
      `  authority: ${scriptText(issuer)},`,
      `  client_id: ${scriptText(clientId)},`,
      '  redirect_uri: home,',
      '  silent_redirect_uri: home,',
      ...(logsOut ? ['  post_logout_redirect_uri: home,'] : []),
      `  scope: ${scriptText(scopes.join(' '))},`,
      '  loadUserInfo: true,',
      '});',
      '',
      "if (new URLSearchParams(location.search).has('code')) {",
      '  await users.signinRedirectCallback();',
      "  history.replaceState({}, '', home);",
      '}',
      'const user = await users.getUser();',
      'if (user === null) await users.signinRedirect();',
    ),
  ];
}
