import type { Client } from '../../model/client.ts';
import { RedirectableError } from '../../model/errors.ts';
import { quoted } from '../../rules/quoted.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseType } from '../response-types/response-type.ts';
import { findResponseType, type ResponseTypes } from '../response-types/response-types.ts';
import type { ResponseMode } from '../targets/response-target.ts';

/** The response type, when the server supports it, the client may use it, and the response mode fits it. */
export function readResponseType(
  parameters: AuthorizationParameters,
  client: Client,
  supported: ResponseTypes,
): ResponseType | RedirectableError {
  const value = firstValue(parameters, 'response_type');
  if (value === undefined) {
    return new RedirectableError('invalid_request', {
      description: 'The parameter response_type is missing.',
    });
  }
  const responseType = findResponseType(supported, value);
  if (responseType === undefined) {
    const names = supported.map(({ name }) => name).join(', ');
    return new RedirectableError('unsupported_response_type', {
      description: `The server supports the response types: ${names}.`,
      reason: `The request has response_type ${quoted(value)}. The server supports: ${names}.`,
    });
  }
  const { name, responseModes } = responseType;
  if (!responseType.isAllowedFor(client)) {
    return new RedirectableError('unauthorized_client', {
      description: `The client may not use response_type=${name}.`,
      reason: `The registration of the client does not allow response_type=${name}.`,
    });
  }
  const mode = firstValue(parameters, 'response_mode');
  if (mode === undefined || isOneOf(responseModes, mode)) return responseType;
  return new RedirectableError('invalid_request', {
    description: `The response_mode of response_type=${name} must be ${responseModes.join(' or ')}.`,
  });
}

/** How the response reaches the client, also for an invalid request. */
export function responseModeOf(
  parameters: AuthorizationParameters,
  responseType: ResponseType | undefined,
): ResponseMode {
  if (responseType === undefined) return 'query';
  const { responseModes } = responseType;
  const mode = firstValue(parameters, 'response_mode');
  return mode !== undefined && isOneOf(responseModes, mode) ? mode : responseModes[0];
}

function isOneOf(modes: readonly ResponseMode[], value: string): value is ResponseMode {
  return (modes as readonly string[]).includes(value);
}
