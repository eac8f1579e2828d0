import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { missingParameter } from '../../rules/parameters.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { findResponseType, type ResponseTypes } from '../response-types/response-types.ts';
import { type ResponseMode, type TargetMode, targetsOfModes } from '../targets/response-target.ts';
import type { ResponseTarget } from '../targets/target-kind.ts';

/** The response type, when the server supports it, the client may use it, and the response mode fits it. */
export function readResponseType(
  parameters: AuthorizationParameters,
  { client, target }: { readonly client: Client; readonly target: ResponseTarget },
  supported: ResponseTypes,
): ResponseType | RedirectableError {
  const value = firstValue(parameters, 'response_type');
  if (value === undefined) {
    return missingParameter('response_type');
  }
  const responseType = findResponseType(supported, value);
  if (responseType === undefined) {
    const facts = { value, supported: supported.map(({ name }) => name) };
    return new RedirectableError('unsupported_response_type', because('supported_response_type', facts));
  }
  const { name } = responseType;
  if (!responseType.isAllowedFor(client)) {
    return new RedirectableError('unauthorized_client', because('allowed_response_type', { name }));
  }
  const mode = firstValue(parameters, 'response_mode');
  const modes = modesFor(responseType, client, target.address);
  if (mode === undefined || isOneOf(modes, mode)) return responseType;
  return new RedirectableError('invalid_request', because('response_mode', { name, mode, modes }));
}

/** How the response reaches the client, also for an invalid request. */
export function responseModeOf(
  parameters: AuthorizationParameters,
  client: Client,
  responseType: ResponseType | undefined,
  redirectUri: string,
): TargetMode {
  const mode = firstValue(parameters, 'response_mode');
  const allowed = responseType ?? anyMode;
  const modes = modesFor(allowed, client, redirectUri);
  return targetMode(mode !== undefined && isOneOf(modes, mode) ? mode : allowed.responseModes[0], allowed);
}

/** The error for a response type that the server does not know has nothing that must not be in a query. */
const anyMode: Modes = {
  responseModes: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
};

type Modes = Pick<ResponseType, 'responseModes'>;

/** JWT Secured Authorization Response Mode §2.3.4. */
function targetMode(mode: ResponseMode, { responseModes: [first] }: Modes): TargetMode {
  return mode === 'jwt' ? `${first}.jwt` : mode;
}

function modesFor(allowed: Modes, client: Client, redirectUri: string): readonly ResponseMode[] {
  return allowed.responseModes.filter((mode) =>
    targetsOfModes[targetMode(mode, allowed)].isAllowedFor(redirectUri, client),
  );
}

function isOneOf(modes: readonly ResponseMode[], value: string): value is ResponseMode {
  return (modes as readonly string[]).includes(value);
}
