import { OAuthError, RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';

/**
 * Decoded request parameters by name. One without a value counts as absent (RFC 6749 §3.1). All values of one that can be repeated are one
 * text, see {@link repeatedValues}.
 */
export type Parameters = ReadonlyMap<string, string>;

// They come at most once, also in a request that does not need them. Others come at most once where they are read, and elsewhere they
// are ignored, however often they come.
const parameterNames = [
  'access_token',
  'acr_values',
  'authenticator_hint',
  'claims',
  'claims_locales',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'display',
  'dpop_jkt',
  'grant_type',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'max_age',
  'nonce',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'registration',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ticket',
  'token',
  'token_type_hint',
  'ui_locales',
] as const;

const knownNames: ReadonlySet<string> = new Set(parameterNames);

// No parameter has this value, because none can hold NUL.
const repeatedValue = '\0';

/** What a request can repeat, with a meaning (RFC 8707 §2). */
const repeatableName = 'resource';

const maxParameters = 100;
// What `decodeFormComponent` changes or rejects.
const mayBeEncoded = /[+%\0]/;

/**
 * Parses `application/x-www-form-urlencoded` text strictly, for bodies and query strings alike.
 *
 * The platform's own parsers keep invalid percent-encoding or replace invalid UTF-8 silently, and give
 * the last or the first of repeated parameters; here each is an `invalid_request` (RFC 6749 §3.1, §3.2).
 *
 * @param known the parameters that must not be repeated
 * @throws OAuthError `invalid_request`
 */
export function parseParameters(text: string, known: ReadonlySet<string> = knownNames): Parameters {
  const parameters = new Map<string, string>();
  let count = 0;
  forEachParameter(text, (name, value) => {
    if (name === repeatableName && !known.has(name)) {
      const before = parameters.get(name);
      if (before === undefined) count += 1;
      parameters.set(name, before === undefined ? value : before + repeatedValue + value);
      return;
    }
    parameters.set(name, value);
    count += 1;
    if (parameters.size === count) return;
    if (known.has(name)) throw repeatedParameter(name);
    parameters.set(name, repeatedValue);
    count = parameters.size;
  });
  return parameters;
}

/**
 * Parses the same text with all values of each parameter, in order. A repeated parameter can have a meaning, such as the
 * boxes of a form, or the error can depend on which parameter is repeated.
 *
 * @throws OAuthError `invalid_request`
 */
export function parseRepeatableParameters(text: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  forEachParameter(text, (name, value) => {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  });
  return parameters;
}

/** The first parameter that the server knows and the text repeats. */
export function firstRepeated(parameters: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [name, values] of parameters) if (values.length > 1 && knownNames.has(name)) return name;
  return undefined;
}

export function missingParameter(name: string): RedirectableError {
  return new RedirectableError('invalid_request', because('required_parameter', { name }));
}

export function repeatedParameter(name: string): RedirectableError {
  return new RedirectableError('invalid_request', because('parameter_once', { name }));
}

function forEachParameter(text: string, take: (name: string, value: string) => void): void {
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters) {
    throw new OAuthError('invalid_request', because('form_encoding', { most: maxParameters }));
  }
  // One search instead of six for each parameter.
  const decoded = mayBeEncoded.test(text) ? decode : asItIs;
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    take(name, equals === -1 ? '' : decoded(pair.slice(equals + 1)));
  }
}

const asItIs = (component: string) => component;

/** The value of an optional parameter; `undefined` when it is absent or empty. @throws OAuthError `invalid_request` when it is repeated */
export function optionalParameter(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name) || undefined;
  if (value === repeatedValue) throw repeatedParameter(name);
  return value;
}

const noValues: readonly string[] = [];

/** All values of a parameter that can be repeated, in their order, without empty ones. */
export function repeatedValues(parameters: Parameters, name: typeof repeatableName): readonly string[] {
  const values = parameters.get(name);
  return values === undefined ? noValues : values.split(repeatedValue).filter((value) => value !== '');
}

/** Every value of each parameter, without what was repeated and has no meaning. */
export function allValues(parameters: Parameters): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [name, value] of parameters) {
    if (name === repeatableName) all.set(name, repeatedValues(parameters, name));
    else if (value !== repeatedValue) all.set(name, [value]);
  }
  return all;
}

/** @throws OAuthError `invalid_request` when the parameter is absent, empty or repeated */
export function requiredParameter(parameters: Parameters, name: string): string {
  const value = optionalParameter(parameters, name);
  if (value === undefined) {
    throw missingParameter(name);
  }
  return value;
}

function decode(component: string): string {
  const decoded = decodeFormComponent(component);
  if (decoded === undefined) throw new OAuthError('invalid_request', because('form_encoding', {}));
  return decoded;
}

/**
 * Decodes one name or value of form-urlencoded text; `undefined` when its percent-encoding is invalid,
 * when it is not UTF-8 or when it holds NUL, which not every database can store.
 */
export function decodeFormComponent(component: string): string | undefined {
  let decoded = component;
  if (decoded.includes('+')) decoded = decoded.replaceAll('+', ' ');
  if (decoded.includes('%')) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return undefined;
    }
  }
  return decoded.includes('\0') ? undefined : decoded;
}
