import { withHidden } from '../../hidden-characters.ts';
import type { ErrorRule } from './error-rule.ts';

export interface GrantTypeOf {
  readonly type: string;
  /** What the registration lacks, if the grant type has no rule of its own. */
  readonly requires?: string | undefined;
}

/** The secret in words. */
export interface WrongSecret {
  readonly shown: string;
}

export interface ReplacedSecret {
  /** Epoch milliseconds. */
  readonly validUntil: number;
}

/** The newest secret of a client, which was used after its end. */
export interface ExpiredSecret {
  readonly id: number;
  readonly description: string;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** Rules of clients and resource servers that call the server: how they authenticate, and which grants they can use. */
export const clientRules = {
  client_credentials: {
    requirement:
      'A request has the credentials of a client or resource server, in the form that the server takes.',
    section: 'RFC 6749 §2.3.1',
    advice:
      'Send identifier and secret by HTTP Basic, both form-urlencoded, or in the body of the request; or a JWT as client_assertion, with the client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
    /** What came in place of them. `missing` tells the caller what to send. */
    refusal: (facts: { readonly malformed: true } | { readonly missing: string }) => ({
      ...('missing' in facts && { description: facts.missing }),
      expected: 'identifier and secret, or an assertion',
      came: 'missing' in facts ? 'no credentials' : 'malformed credentials',
    }),
  },
  registered_caller: {
    requirement:
      'The identifier in the credentials of a request is the clientId of a registered client, or the key of a registered resource server.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client list',
    advice:
      'Compare the identifier with the list, letter by letter. For token info it is the key that watchword resource-server list shows. A token of an issuer (assertion_issuer) needs client_id beside it.',
    refusal: ({ id }: { readonly id: string }) => ({
      came: withHidden('an identifier that is not registered', id),
    }),
  },
  client_secret: {
    requirement: 'The secret of a request is one of the client that is valid.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client add-secret {client}',
    advice:
      'Compare where the application reads its secret; it can be one that was removed. If the secret is lost, the command gives the client one more, and the others stay valid.',
    refusal: wrongSecret,
  },
  resource_server_secret: {
    requirement: 'The secret of a request is the current one of the resource server.',
    section: 'RFC 7662 §2.1',
    command: 'watchword resource-server rotate-secret {resourceServer}',
    advice:
      'Compare where the API reads its secret. If the secret is lost, the command gives the resource server a new one.',
    refusal: (facts: WrongSecret | ReplacedSecret) =>
      'validUntil' in facts ? replacedSecret(facts) : wrongSecret(facts),
  },
  replaced_secret: {
    requirement: 'A secret that was replaced is used only within the overlap of its rotation.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client add-secret {client}',
    advice:
      'Give the application the secret of the last rotation. If it is lost, the command gives the client one more.',
    refusal: replacedSecret,
  },
  expired_secret: {
    requirement: 'A secret that expires is used only until then.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client add-secret {client}',
    advice: 'Give the application another secret, before the next one expires.',
    refusal: ({ id, description, expires }: ExpiredSecret) => {
      const named = description === '' ? `the secret ${id}` : `the secret ${id} (${description})`;
      const expired = `${named}, which expired on ${new Date(expires).toISOString()}`;
      return {
        reason: `The client authenticated with ${expired}.`,
        expected: 'a secret that has not expired',
        came: expired,
      };
    },
  },
  public_client: {
    requirement: 'A public client sends its client_id alone.',
    section: 'RFC 6749 §3.2.1',
    command: 'watchword client update {client} --confidential true',
    advice:
      'Remove the secret from the configuration of the application. If the application can keep a secret, make the client confidential and rotate its secret.',
    refusal: ({ method }: { readonly method: string }) => ({
      reason:
        'The client is public and has no secret, but the request has one. A public client sends its client_id alone.',
      expected: 'client_id alone',
      came: `a secret, by ${method}`,
    }),
  },
  confidential_client: {
    requirement: 'A confidential client authenticates with its secret.',
    section: 'RFC 6749 §3.2.1',
    command: 'watchword client show {client}',
    advice:
      'Configure the secret in the application. Only if it runs in a browser or on a device, make the client public by the option --public of client update: from then on nobody needs the secret. Anybody who knows the clientId can send such a request.',
    refusal: () => ({
      reason:
        'The client is confidential, but the request has no secret. Send it by HTTP Basic, or as client_secret in the body.',
      expected: 'the secret of the client',
      came: 'client_id alone',
    }),
  },
  registered_method: {
    requirement: 'A client that is registered for one method of authentication uses that one.',
    section: 'RFC 7591 §2',
    command: 'watchword client update {client} --token-endpoint-auth-method METHOD',
    advice: 'Configure the registered method in the application, or register the one that it uses.',
    refusal: ({ registered, method }: { readonly registered: string; readonly method: string }) => ({
      reason: `The client authenticated by ${method}, but it is registered for ${registered} alone.`,
      expected: registered,
      came: method,
    }),
  },
  issued_secret: {
    requirement: 'A confidential client has a secret.',
    section: 'RFC 6749 §2.3.1',
    command: 'watchword client rotate-secret {client}',
    advice: 'Give the client a secret.',
    refusal: () => ({
      reason: 'The client is confidential, but has no secret. Rotate its secret to give it one.',
    }),
  },
  accepted_method: {
    requirement: 'The endpoint takes the method of client authentication.',
    section: 'RFC 8414 §2',
    advice: 'Use a method that the metadata of the server names for the endpoint.',
    refusal: ({ method }: { readonly method: string }) => ({
      reason: `The endpoint does not take client authentication by the method ${method}.`,
      came: method,
    }),
  },
  one_method: {
    requirement: 'A client authenticates by one method, and its client_id is the same everywhere.',
    section: 'RFC 6749 §2.3',
    advice: 'Send the secret by HTTP Basic or in the body, and not by both.',
    /** The methods of the request, or two identifiers. */
    refusal: (facts: { readonly methods: readonly string[] } | { readonly isOtherClient: true }) =>
      'methods' in facts
        ? {
            description: 'The client authenticates by more than one method; use one of them.',
            expected: 'one method',
            came: facts.methods.join(' and '),
          }
        : { description: 'The client_id in the body names another client than the credentials.' },
  },
  few_failures: {
    requirement: 'From one network address there are not too many failed attempts in a minute.',
    section: 'RFC 6749 §10.10',
    advice:
      'Wait for the seconds of Retry-After, and mend the cause of the failures before. The settings failedAttempts.perIdentifier and failedAttempts.perAddress are the limits. A proxy must be named in trustedProxies.',
    /** Seconds to wait, and whether the attempts are those at one secret that can be guessed. */
    refusal: ({
      retryAfter,
      isGuessable,
    }: {
      readonly retryAfter: number;
      readonly isGuessable: boolean;
    }) => ({
      reason: isGuessable
        ? `The secret can be guessed, and there were too many failed attempts, so no secret was verified for ${retryAfter} seconds. Rotate it: a secret that this server makes has no such limit.`
        : `There were too many failed attempts from the network address of the caller, so the credentials were not accepted for ${retryAfter} seconds.`,
    }),
  },
  supported_grant_type: {
    requirement: 'The grant_type of a token request is one that the server supports.',
    section: 'RFC 6749 §5.2',
    advice: 'Use the authorization code grant with PKCE for users, and client credentials for jobs.',
    /** It does not repeat the value of the request, which can be a secret in the wrong place. */
    refusal: ({ named, supported }: { readonly named: string; readonly supported: readonly string[] }) => {
      const expected = supported.join(', ');
      return {
        description: withHidden('The server does not support this grant type.', named),
        reason: withHidden(
          `The server does not support the grant_type of the request. It supports ${expected}.`,
          named,
        ),
        expected,
      };
    },
  },
  allowed_grant_type: {
    requirement: 'The registration of the client allows the grant_type of its request.',
    section: 'RFC 6749 §5.2',
    command: 'watchword client show {client}',
    advice: 'Compare the registration with the grant type that the application uses.',
    refusal: ({ type, requires }: GrantTypeOf) => notAllowed(type, requires),
  },
  allowed_client_credentials: {
    requirement: 'Only a confidential client that can act for itself uses client credentials.',
    section: 'RFC 6749 §4.4',
    command: 'watchword client update {client} --allow-client-credentials true',
    advice: 'Allow it, if the client works without a user.',
    refusal: ({ type }: GrantTypeOf) =>
      notAllowed(type, 'allowedClientCredentials, and a confidential client'),
  },
  allowed_code: {
    requirement: 'Only a client with a redirect URI uses authorization codes.',
    section: 'RFC 6749 §4.1',
    command: 'watchword client update {client} --redirect-uri REDIRECT_URI',
    advice: 'Register the address to which users return.',
    refusal: ({ type }: GrantTypeOf) => notAllowed(type, 'a redirect URI'),
  },
  allowed_refresh_tokens: {
    requirement: 'Only a client that gets refresh tokens uses them.',
    section: 'RFC 6749 §6',
    command: 'watchword client update {client} --use-refresh-tokens true',
    advice: 'Allow it, if the client needs access while its user is away.',
    refusal: ({ type }: GrantTypeOf) => notAllowed(type, 'useRefreshTokens'),
  },
} as const satisfies Record<string, ErrorRule>;

function wrongSecret({ shown }: WrongSecret) {
  return { reason: 'The secret is wrong.', expected: 'the registered secret', came: shown };
}

function replacedSecret({ validUntil }: ReplacedSecret) {
  const until = new Date(validUntil).toISOString();
  return {
    reason: `The secret is the previous one, which was valid until ${until}.`,
    expected: 'the secret of the last rotation',
    came: `the secret before it, which was valid until ${until}`,
  };
}

/** @param needs what the registration lacks, if it is known */
function notAllowed(type: string, needs?: string) {
  const advice = needs === undefined ? '' : ` It needs ${needs}.`;
  return {
    reason: `The registration of the client does not allow grant_type=${type}.${advice}`,
    expected: needs,
    came: `grant_type=${type}`,
  };
}
