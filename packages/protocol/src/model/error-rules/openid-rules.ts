import { withHidden } from '../hidden-characters.ts';
import { quoted } from '../quoted.ts';
import type { ErrorRule } from './error-rule.ts';

export interface ResponseTypeName {
  readonly name: string;
}

export interface SigningAlgorithms {
  readonly clientId: string;
  /** Of the registration. */
  readonly algorithm: string | undefined;
  /** Of the server. */
  readonly algorithms: readonly string[];
}

/** Rules of OpenID Connect. */
export const openidRules = {
  passed_steps: {
    requirement:
      'The user does what the server demands before a login is valid, such as agreeing to its terms.',
    section: 'OpenID Connect Core §3.1.2.6',
    advice:
      'Nothing is broken: the user declined, or the application must send the user here again without prompt=none.',
  },
  openid_scope: {
    requirement: 'A request for a scope of OpenID Connect, or for an ID token, has the scope openid.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Add openid to the scope parameter of the application.',
    /** What needs it: the scope groups, an ID token, or a response type. */
    refusal: ({ of }: { readonly of: 'groups' | 'ID token' | ResponseTypeName }) => {
      if (of === 'ID token') return { description: 'An ID token needs the scope openid.' };
      if (of !== 'groups') return responseTypeNeeds(of, 'the scope openid');
      return {
        description: 'The scope groups is one of OpenID Connect, and needs the scope openid too.',
        expected: 'the scope openid too',
        came: 'groups',
      };
    },
  },
  openid_nonce: {
    requirement: 'A request whose response has an ID token has a nonce.',
    section: 'OpenID Connect Core §3.2.2.1',
    advice: 'Send a random nonce with each request, and compare it with that of the ID token.',
    refusal: (of: ResponseTypeName) => responseTypeNeeds(of, 'the parameter nonce'),
  },
  claims_parameter: {
    requirement: 'The parameter claims is a JSON object of the form of the specification.',
    section: 'OpenID Connect Core §5.5',
    advice: 'Correct the JSON that the application sends.',
    /** The text of the parameter, if it is no JSON. */
    refusal: ({
      expected,
      text = '',
    }: {
      readonly expected: string;
      readonly text?: string | undefined;
    }) => ({
      description: withHidden(`The parameter claims must have ${expected}.`, text),
      expected,
    }),
  },
  one_named_user: {
    requirement: 'The id_token_hint and the claim sub of a request name the same user.',
    section: 'OpenID Connect Core §5.5.1',
    advice: 'Name the user in one place only.',
    refusal: () => ({
      description: 'The request names several users, by id_token_hint or the claim sub; it must name one.',
    }),
  },
  id_token_hint: {
    requirement: 'An id_token_hint is an ID token that this server has issued to the client.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Send an ID token that the application got here, or leave the parameter out.',
    refusal: () => ({
      description: 'The id_token_hint is not an ID token that this server has issued to the client.',
    }),
  },
  prompt: {
    requirement: 'A prompt is none alone, or of login, consent and select_account.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Correct the parameter in the application.',
    /** The values of the request. */
    refusal: ({
      asked,
      isCombined,
    }: {
      readonly asked: readonly string[];
      readonly isCombined: boolean;
    }) => ({
      description: isCombined
        ? 'The prompt none cannot be combined with another.'
        : withHidden('The prompt must be none, or of login, consent and select_account.', asked.join(' ')),
      came: quoted(asked.join(' ')),
    }),
  },
  max_age: {
    requirement: 'A max_age is a whole number of seconds.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Correct the parameter in the application.',
    refusal: ({ value }: { readonly value: string }) => ({
      description: withHidden('The max_age must be a whole number of seconds.', value),
      came: quoted(value),
    }),
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
    refusal: ({ clientId, algorithm, algorithms }: SigningAlgorithms) => ({
      description: `The server does not sign with ${algorithm ?? 'any algorithm'}, which the registration of the client names.`,
      reason: `The client ${clientId} is registered for ${algorithm}. The server signs with ${algorithms.join(', ')}: the setting signing.algorithms.`,
      expected: algorithms.join(', '),
      came: algorithm ?? 'no algorithm',
    }),
  },
} as const satisfies Record<string, ErrorRule>;

function responseTypeNeeds({ name }: ResponseTypeName, what: string) {
  return { description: `The response_type ${name} needs ${what}.`, expected: what };
}
