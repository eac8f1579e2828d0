import { withHidden } from '../../hidden-characters.ts';
import { listed, quoted, quotedUrl } from '../../quoted.ts';
import type { ErrorRule } from './error-rule.ts';
import type { RedirectUris } from './openid-rules.ts';

const ofAccount = {
  changed: 'The account changed during the login.',
  disabled: 'The account to which the login is linked is disabled.',
  'name too long': 'The identity provider gives the account a name that is too long.',
} as const;

const originalRequest =
  'The application must send the parameter, or the library that it uses must be configured to.';

export interface ResponseModes {
  /** The response type. */
  readonly name: string;
  readonly mode: string;
  /** Which it can have. */
  readonly modes: readonly string[];
}

/** Octets: of one parameter, or of all but one. No number: a login that waits in cookies. */
export type RequestSize =
  | { readonly name: string; readonly most: number }
  | { readonly without: string; readonly most: number }
  | { readonly waits: true };

/** Why a user is not let in: what the module says, or what was found of the account. */
export type DeniedUser =
  | { readonly said: string }
  | { readonly account: 'changed' | 'disabled' | 'name too long' };

/** Rules of authorization requests, and of the pages that follow them. */
export const authorizationRules = {
  registered_client: {
    requirement: 'The client_id of a request is that of a registered client.',
    section: 'RFC 6749 §2.2',
    command: 'watchword client list',
    advice: 'Compare the client_id of the application with the clientIds of the list, letter by letter.',
    /** `undefined` if an id_token_hint names the client. */
    refusal: ({ clientId }: { readonly clientId: string | undefined }) =>
      clientId === undefined
        ? { description: 'The client of the id_token_hint is no longer registered.' }
        : {
            description: withHidden('No client is registered under this client_id.', clientId),
            came: quoted(clientId),
          },
  },
  registered_redirect_uri: {
    requirement:
      'The redirect_uri of a request is one that the client has registered, character by character; only the port of a loopback address can differ.',
    section: 'RFC 6749 §3.1.2.3',
    command: 'watchword client update {client} --redirect-uri REDIRECT_URI',
    advice:
      'If the address belongs to the application, register it: name all redirect URIs of the client, because they replace the registered ones. Otherwise correct the application.',
    refusal: ({ named, registered }: RedirectUris) => ({
      description: withHidden(
        'The redirect_uri is not one that the client has registered; it is compared character by character, and only the port may differ where a native application registered http://127.0.0.1, http://[::1] or http://localhost.',
        named,
      ),
      reason: `The request has redirect_uri ${quotedUrl(named)}, which is not registered. Registered: ${listed(registered)}.`,
      expected: listed(registered),
      came: quotedUrl(named),
    }),
  },
  named_redirect_uri: {
    requirement:
      'A request names its redirect_uri, unless the client has registered exactly one and the response type permits it.',
    section: 'RFC 6749 §3.1.2.3',
    advice: originalRequest,
    /** The response type that needs it, or the registered ones, of which none can be meant. */
    refusal: (facts: { readonly responseType: string } | { readonly registered: readonly string[] }) =>
      'responseType' in facts
        ? {
            description: `The parameter redirect_uri is missing; response_type=${facts.responseType} needs it.`,
          }
        : {
            description:
              'The parameter redirect_uri is missing; only a client with exactly one registered can leave it out.',
            reason: `The request has no redirect_uri, and the client has not exactly one. Registered: ${listed(facts.registered)}.`,
            expected: listed(facts.registered),
            came: 'no redirect_uri',
          },
  },
  unchanged_registration: {
    requirement: 'The client is still registered for its request when the user has answered a page.',
    section: 'RFC 6749 §3.1.2.3',
    command: 'watchword client show {client}',
    advice: 'Compare the registration with the request, and start again from the application.',
    /** The client whose resource server was deleted, or nothing if its own record has changed. */
    refusal: ({ clientId }: { readonly clientId?: string }) =>
      clientId === undefined
        ? { description: 'The registration of the client has changed since the request.' }
        : { reason: `The resource server of the client ${clientId} was deleted during the request.` },
  },
  supported_response_type: {
    requirement: 'The response_type of a request is one that the server supports.',
    section: 'RFC 6749 §3.1.1',
    advice: 'Use response_type=code with PKCE.',
    refusal: ({ value, supported }: { readonly value: string; readonly supported: readonly string[] }) => {
      const expected = supported.join(', ');
      return {
        description: withHidden(`The server supports the response types: ${expected}.`, value),
        reason: `The request has response_type ${quoted(value)}. The server supports: ${expected}.`,
        expected,
        came: quoted(value),
      };
    },
  },
  allowed_response_type: {
    requirement: 'The registration of the client allows the response_type of its request.',
    section: 'RFC 6749 §4.1.2.1',
    command: 'watchword client show {client}',
    advice:
      'Use response_type=code with PKCE in the application (RFC 9700 §2.1.2). Only if it cannot, let client update allow the response type: with code in it by the option --allow-hybrid, which needs a confidential client, else by --allow-implicit-grant, which makes the client public. Anybody who knows the clientId can send such a request.',
    refusal: ({ name }: { readonly name: string }) => ({
      description: `The client may not use response_type=${name}.`,
      reason: `The registration of the client does not allow response_type=${name}.`,
      came: `response_type=${name}`,
    }),
  },
  response_mode: {
    requirement: 'The response_mode of a request is one that its response type and redirect URI permit.',
    section: 'OAuth 2.0 Multiple Response Type Encoding Practices §2.1',
    advice: 'Leave response_mode out, or send one of the expected values.',
    refusal: ({ name, mode, modes }: ResponseModes) => ({
      description: withHidden(
        `The response_mode of response_type=${name} must be ${modes.join(' or ')}.`,
        mode,
      ),
      expected: modes.join(' or '),
      came: quoted(mode),
    }),
  },
  pkce_challenge: {
    requirement:
      'A public client sends a code_challenge, and code_challenge_method comes only together with it.',
    section: 'RFC 9700 §2.1.1',
    advice: 'Switch PKCE on in the library of the application.',
    refusal: ({ isPublic, hasMethod }: { readonly isPublic: boolean; readonly hasMethod: boolean }) => ({
      description: 'The parameter code_challenge is missing.',
      reason: isPublic
        ? 'The parameter code_challenge is missing. A public client must use PKCE.'
        : undefined,
      expected: 'code_challenge and code_challenge_method=S256',
      came: hasMethod ? 'code_challenge_method alone' : 'neither of them',
    }),
  },
  pkce_method: {
    requirement: 'The code_challenge_method of a request is S256.',
    section: 'RFC 7636 §4.3',
    advice:
      'Configure the library of the application for S256; without code_challenge_method it means plain.',
    refusal: ({ method }: { readonly method: string | undefined }) => ({
      description: withHidden('The code_challenge_method must be S256.', method ?? ''),
      reason: `The code_challenge_method must be S256; the request has ${method === undefined ? 'none' : quoted(method)}.`,
      expected: 'S256',
      came: method === undefined ? 'no code_challenge_method' : quoted(method),
    }),
  },
  pkce_challenge_form: {
    requirement: 'A code_challenge is the 43 base64url characters of a SHA-256 digest, without padding.',
    section: 'RFC 7636 §4.2',
    advice:
      'Make the challenge from the digest itself, not from its hexadecimal text, and remove the padding.',
    refusal: ({ codeChallenge }: { readonly codeChallenge: string }) => ({
      description: withHidden(
        'The code_challenge must be the 43 base64url characters of a SHA-256 digest.',
        codeChallenge,
      ),
      expected: '43 characters of A-Z a-z 0-9 - _',
      came: `${codeChallenge.length} characters`,
    }),
  },
  request_size: {
    requirement: 'A request and each of its parameters are no larger than the limits of the server.',
    advice: 'Shorten the parameter: state can be a key under which the application keeps the rest.',
    refusal: (of: RequestSize) => ({ description: sizeOf(of) }),
  },
  finished_login: {
    requirement: 'The user finishes the login.',
    section: 'RFC 6749 §4.1.2.1',
    advice: 'Nothing is broken: the user chose "Cancel" on a page of the login.',
    refusal: () => ({ description: 'The user cancelled the login.' }),
  },
  given_consent: {
    requirement: 'The user allows the request on the consent page.',
    section: 'RFC 6749 §4.1.2.1',
    advice:
      'Nothing is broken: the user denied the request. The application should say what it needs the access for.',
    refusal: () => ({ reason: 'The resource owner denied consent.' }),
  },
  permitted_user: {
    requirement: 'The server and its authentication module permit the user to use the application.',
    section: 'RFC 6749 §4.1.2.1',
    advice: 'Check the account of the user, and the configuration of the module or of the identity provider.',
    refusal: (why: DeniedUser) => ({ description: 'said' in why ? why.said : ofAccount[why.account] }),
  },
  identity_provider_response: {
    requirement: 'The identity provider answers with a message that passes every check.',
    section: 'SAML 2.0 Profiles §4.1.4',
    advice:
      'The description of the error names the check. The log of the server has the cause, under the id of the request: look at metadata, certificates and clocks of both sides.',
  },
  consented_scopes: {
    requirement: 'Only scopes of the request are granted on the consent page.',
    section: 'RFC 6749 §3.3',
    advice: 'The form was changed, or the consent module is wrong. Start again from the application.',
    refusal: () => ({ description: 'A scope was granted that the client did not request.' }),
  },
  valid_page: {
    requirement:
      'A form returns to the server unchanged, from the browser that got its page, within the lifetime of the page.',
    section: 'RFC 6749 §10.12',
    advice:
      'The user must start again from the application. If many users need longer, raise the setting authState.lifetime.',
  },
  page_cookie: {
    requirement: 'A form comes from a page of this server, with the cookie that the server gave the browser.',
    section: 'RFC 6749 §10.12',
    advice:
      'Allow cookies for this site. A proxy must pass on Set-Cookie and Cookie, and the base URL must be the address that browsers use.',
  },
  one_cookie: {
    requirement: 'A browser sends one cookie of each name of the server.',
    section: 'RFC 6265 §8.6',
    advice:
      'Delete the cookies of the site. Another site of the same domain has set a cookie under the name.',
  },
  form_choice: {
    requirement: 'A form has the choice that its page asks for.',
    advice:
      'Load the page again and answer it. If the page has own templates, compare them with the built-in ones.',
    refusal: () => ({ description: 'The form does not name an account.' }),
  },
  reset_link: {
    requirement: 'A link to set a password is unused, the newest one, and not older than an hour.',
    command: 'watchword user reset-password USERNAME',
    advice: 'Send the user a new link.',
  },
  own_password: {
    requirement: 'Only a user of a local account sets a password here.',
    advice: 'The user changes the password at the identity provider.',
  },
} as const satisfies Record<string, ErrorRule>;

function sizeOf(of: RequestSize): string {
  if ('waits' in of)
    return 'The request is too long for a login at another server, together with what the authentication module keeps; shorten state.';
  return 'name' in of
    ? `The ${of.name} has more than ${of.most} octets.`
    : `The parameters have more than ${of.most} octets together, without the ${of.without}.`;
}
