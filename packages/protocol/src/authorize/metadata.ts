import { prompts } from './request/prompt.ts';
import type { ResponseTypeMetadata } from './response-types/response-type.ts';
import type { ResponseTypes } from './response-types/response-types.ts';

/** What the authorization endpoint adds to the metadata of the server (RFC 8414 §2). */
export interface AuthorizationMetadata extends Required<ResponseTypeMetadata> {
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly prompt_values_supported: readonly string[];
}

export function authorizationMetadata(responseTypes: ResponseTypes): AuthorizationMetadata {
  const all = (valuesOf: (responseType: ResponseTypes[number]) => readonly string[] | undefined) => [
    ...new Set(responseTypes.flatMap((responseType) => valuesOf(responseType) ?? [])),
  ];
  return {
    response_types_supported: all(({ name }) => [name]),
    response_modes_supported: all(({ responseModes }) => responseModes),
    grant_types_supported: all(({ metadata }) => metadata.grant_types_supported),
    code_challenge_methods_supported: all(({ metadata }) => metadata.code_challenge_methods_supported),
    prompt_values_supported: prompts,
  };
}
