import { createHash } from 'node:crypto';

const script = "document.querySelector('[name=badge]').focus();";
const scriptDigest = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const page = (authState, action) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sign in with your badge</title>
<h1>Sign in with your badge</h1>
<form method="post" action="${action}">
<input type="hidden" name="auth_state" value="${authState}">
<label>Number <input name="badge" inputmode="numeric" autocomplete="username" required></label>
<button>Sign in</button>
</form>
<script>${script}</script>
</html>`;

/** @type {import('@watchword/protocol').AuthenticationModuleFactory} */
export default function badgeLogin({ services }) {
  return {
    name: 'badge',
    // A reader of badges that proves what it read would make this a login. Until then no other machine reaches the server.
    insecureBecause: 'it believes every number of a badge, so every visitor can log in as any user',

    // The page is at an address of this module.
    begin: async () => ({
      type: 'redirect',
      location: (authState) => services.endpointUrl(`/badge?auth_state=${encodeURIComponent(authState)}`),
    }),

    async resume(_context, submission) {
      const badge = submission.get('badge')?.[0] ?? '';
      if (!/^\d{6}$/.test(badge)) return { type: 'refused', description: 'There is no such badge.' };
      const principal = { name: badge, roles: [], groups: [], adminPrincipal: false, attributes: {} };
      return { type: 'authenticated', principal };
    },

    endpoints: [
      {
        path: '/badge',
        method: 'GET',
        async answer({ parameters }) {
          // The page is shown only if this is a state of this browser, so it needs no escaping.
          const authState = parameters.get('auth_state')?.[0] ?? '';
          return {
            type: 'document',
            contentType: 'text/html; charset=utf-8',
            content: page(authState, `${services.baseUrl}/login`),
            authState,
            allow: { scripts: [scriptDigest] },
          };
        },
      },
    ],
  };
}
