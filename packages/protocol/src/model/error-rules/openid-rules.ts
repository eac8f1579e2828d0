import type { ErrorRule } from './error-rule.ts';

/** Rules of OpenID Connect. */
export const openidRules = {
  openid_scope: {
    requirement: 'A request for a scope of OpenID Connect, or for an ID token, has the scope openid.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Add openid to the scope parameter of the application.',
  },
  openid_nonce: {
    requirement: 'A request whose response has an ID token has a nonce.',
    section: 'OpenID Connect Core §3.2.2.1',
    advice: 'Send a random nonce with each request, and compare it with that of the ID token.',
  },
  claims_parameter: {
    requirement: 'The parameter claims is a JSON object of the form of the specification.',
    section: 'OpenID Connect Core §5.5',
    advice: 'Correct the JSON that the application sends.',
  },
  one_named_user: {
    requirement: 'The id_token_hint and the claim sub of a request name the same user.',
    section: 'OpenID Connect Core §5.5.1',
    advice: 'Name the user in one place only.',
  },
  id_token_hint: {
    requirement: 'An id_token_hint is an ID token that this server has issued to the client.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Send an ID token that the application got here, or leave the parameter out.',
  },
  prompt: {
    requirement: 'A prompt is none alone, or of login, consent and select_account.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Correct the parameter in the application.',
  },
  max_age: {
    requirement: 'A max_age is a whole number of seconds.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Correct the parameter in the application.',
  },
  plain_parameters: {
    requirement:
      'A request has its parameters themselves: no request object, no request_uri, no registration.',
    section: 'OpenID Connect Core §3.1.2.6',
    advice: 'Switch request objects off in the library of the application.',
  },
  required_context: {
    requirement: 'The login has an authentication context class that the client requires.',
    section: 'OpenID Connect Core §5.5.1.1',
    advice:
      'The identity provider must log the user in at such a level, and the authentication module must report it.',
  },
  signing_algorithm: {
    requirement: 'The server signs with the algorithm for which the client is registered.',
    section: 'OpenID Connect Core §10.1',
    command: 'watchword client update {client} --id-token-signed-response-alg ALGORITHM',
    advice: 'Name an algorithm of the setting signing.algorithms, or add the registered one to that setting.',
  },
} as const satisfies Record<string, ErrorRule>;
