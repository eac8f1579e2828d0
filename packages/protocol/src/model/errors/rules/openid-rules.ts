import { withHidden } from '../../hidden-characters.ts';
import { listed, quoted, quotedUrl } from '../../quoted.ts';
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

export interface RedirectUris {
  readonly named: string;
  readonly registered: readonly string[];
}

/** Rules of OpenID Connect, logout included. */
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
    refusal: ({ isLogout = false }: { readonly isLogout?: boolean } = {}) => ({
      description: isLogout
        ? 'The id_token_hint is not an ID token of this server. Send an ID token that the client got here.'
        : 'The id_token_hint is not an ID token that this server has issued to the client.',
    }),
  },
  prompt: {
    requirement:
      'A prompt is none alone, or of login, consent and select_account; also create, where people make accounts by themselves.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'Correct the parameter in the application.',
    /** The values of the request. */
    refusal: ({
      asked,
      isCombined,
      supported,
    }: {
      readonly asked: readonly string[];
      readonly isCombined: boolean;
      /** What a prompt can be. */
      readonly supported: readonly string[];
    }) => ({
      description: isCombined
        ? 'The prompt none cannot be combined with another.'
        : withHidden(`The prompt must be of these: ${supported.join(', ')}.`, asked.join(' ')),
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
      'A request is made in a way that the server takes: not by the parameter registration, and by request_uri only where the setting authorization.requestUris is true, or for a pushed request.',
    section: 'OpenID Connect Core §3.1.2.6',
    advice: 'Let the library of the application send the parameters themselves, or push the request.',
  },
  required_context: {
    requirement: 'The login has an authentication context class that the client requires.',
    section: 'OpenID Connect Core §5.5.1.1',
    advice:
      'The user must have a second factor or a passkey here, or the identity provider must log the user in at such a level: see factors.providers.',
    /** The classes that the client accepts, and that of the login. */
    refusal: ({
      classes,
      acr,
    }: {
      readonly classes: readonly string[];
      readonly acr: string | undefined;
    }) => ({
      expected: listed(classes.map((each) => quoted(each))),
      came: acr === undefined ? 'no authentication context class' : quoted(acr),
    }),
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
  user_login: {
    requirement: 'With prompt=none, the user has a login session that is recent enough.',
    section: 'OpenID Connect Core §3.1.2.6',
    advice: 'Nothing is broken: the application must send the user here again without prompt=none.',
  },
  recent_login: {
    requirement: 'The login at the identity provider is not older than max_age or prompt=login permits.',
    section: 'OpenID Connect Core §3.1.2.1',
    advice: 'The identity provider must be able to ask the user again; look at its configuration.',
    refusal: () => ({
      description: 'The login at the identity provider is older than the client accepts.',
    }),
  },
  named_user: {
    requirement: 'The user who logs in is the one whom the request names.',
    section: 'OpenID Connect Core §3.1.2.2',
    advice:
      'The user must log in as the user whom the application knows, or the application must leave id_token_hint out.',
    refusal: () => ({ description: 'Another user is logged in than the one whom the request names.' }),
  },
  user_consent: {
    requirement: 'With prompt=none, the user has consented to all requested scopes before.',
    section: 'OpenID Connect Core §3.1.2.6',
    advice: 'Nothing is broken: the application must send the user here again without prompt=none.',
  },
  logout_redirect_uri: {
    requirement:
      'The post_logout_redirect_uri of a request is one that the client has registered, character by character.',
    section: 'OpenID Connect RP-Initiated Logout §2',
    command: 'watchword client update {client} --post-logout-redirect-uri REDIRECT_URI',
    advice:
      'If the address belongs to the application, register it: name all such addresses of the client, because they replace the registered ones.',
    refusal: ({ named, registered }: RedirectUris) => ({
      description: withHidden(
        'The post_logout_redirect_uri is not one that the client has registered; it is compared character by character.',
        named,
      ),
      expected: listed(registered),
      came: quotedUrl(named),
    }),
  },
  logout_client: {
    requirement:
      'A logout request with post_logout_redirect_uri names one registered client, by client_id or id_token_hint.',
    section: 'OpenID Connect RP-Initiated Logout §2',
    advice: 'Send the id_token_hint that the application got here, or its client_id.',
    /** How many clients the request names. */
    refusal: ({ clients }: { readonly clients: 0 | 2 }) => ({
      description:
        clients === 2
          ? 'The id_token_hint was issued to another client than client_id names.'
          : 'The request has a post_logout_redirect_uri, but neither id_token_hint nor client_id.',
    }),
  },
} as const satisfies Record<string, ErrorRule>;

function responseTypeNeeds({ name }: ResponseTypeName, what: string) {
  return { description: `The response_type ${name} needs ${what}.`, expected: what };
}
