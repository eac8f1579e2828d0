import { prompts } from './request/prompt.ts';
import type { ResponseTypes } from './response-types/response-types.ts';

/** The members that the authorization endpoint and its response types add to the metadata of the server (RFC 8414 §2). */
export interface AuthorizationMetadata {
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly prompt_values_supported: readonly string[];
}

export function authorizationMetadata(responseTypes: ResponseTypes): AuthorizationMetadata {
  return {
    response_types_supported: responseTypes.map(({ name }) => name),
    response_modes_supported: [...new Set(responseTypes.flatMap(({ responseModes }) => responseModes))],
    grant_types_supported: [],
    ...membersOf(responseTypes),
    prompt_values_supported: prompts,
  };
}

/** A member without a value is left out (RFC 8414 §3.2). */
function membersOf(responseTypes: ResponseTypes): Readonly<Record<string, readonly string[]>> {
  const members: Record<string, readonly string[]> = {};
  for (const { metadata } of responseTypes) {
    for (const [name, values = []] of Object.entries(metadata)) {
      members[name] = [...new Set([...(members[name] ?? []), ...values])];
    }
  }
  return members;
}
