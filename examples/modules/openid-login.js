import * as openid from 'openid-client';

const path = '/openid/callback';

/** @type {import('@watchword/protocol').AuthenticationModuleFactory} */
export default function openidLogin({ settings, services, log }) {
  const { issuer, clientId, clientSecret } = settings;
  // Plain http is for trials on one machine.
  const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
  let found;
  const discover = async () => {
    found ??= await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute });
    return found;
  };
  const callback = () => services.endpointUrl(path);

  return {
    name: 'openid',
    isConfigured: (identityProvider) => identityProvider === issuer,

    async begin({ isFresh }) {
      const provider = await discover();
      const verifier = openid.randomPKCECodeVerifier();
      const nonce = openid.randomNonce();
      const challenge = await openid.calculatePKCECodeChallenge(verifier);
      return {
        type: 'redirect',
        brief: true,
        state: { verifier, nonce },
        location: (handle) =>
          openid.buildAuthorizationUrl(provider, {
            redirect_uri: callback(),
            scope: 'openid',
            state: handle,
            nonce,
            code_challenge: challenge,
            code_challenge_method: 'S256',
            // A session at the provider is not sufficient then, and its answer must contain the time of the login.
            ...(isFresh && { prompt: 'login', max_age: '60' }),
          }).href,
      };
    },

    async resume({ state, isFresh, requestId }, submission) {
      const url = new URL(callback());
      for (const [name, [value]] of submission) url.searchParams.set(name, value);
      try {
        const tokens = await openid.authorizationCodeGrant(await discover(), url, {
          pkceCodeVerifier: state.verifier,
          expectedNonce: state.nonce,
          expectedState: submission.get('state')?.[0],
          ...(isFresh && { maxAge: 60 }),
        });
        const { sub, auth_time: since, amr, acr, name, email, email_verified } = tokens.claims();
        const principal = { name: sub, roles: [], groups: [], adminPrincipal: false, attributes: {} };
        const authenticatedAt = since === undefined ? undefined : since * 1000;
        const claims = JSON.parse(JSON.stringify({ name, email, email_verified }));
        const how = { stableId: sub, authenticatedAt, amr, acr, claims };
        return { type: 'authenticated', principal, identityProvider: issuer, ...how };
      } catch (error) {
        log('warn', 'the answer of the OpenID provider was rejected', { requestId, reason: error.message });
        return { type: 'refused', description: 'The login at the OpenID provider failed.' };
      }
    },

    endpoints: [
      {
        path,
        method: 'GET',
        answer: async ({ parameters }) => ({
          type: 'resume',
          authState: parameters.get('state')?.[0] ?? '',
          submission: parameters,
        }),
      },
    ],
  };
}
