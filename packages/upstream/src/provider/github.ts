import type { ProviderMetadata } from './metadata.ts';

const own = 'https://github.com';

/** GitHub and GitHub Enterprise Server have no discovery document. @param base without a slash at its end */
export function githubMetadata(base: string): ProviderMetadata {
  return {
    issuer: base,
    authorizationEndpoint: `${base}/login/oauth/authorize`,
    tokenEndpoint: `${base}/login/oauth/access_token`,
    userinfoEndpoint: base === own ? 'https://api.github.com/user' : `${base}/api/v3/user`,
    endSessionEndpoint: undefined,
    jwksUri: '',
    algorithms: [],
    authenticationMethods: ['client_secret_post'],
    namesIssuer: false,
  };
}
