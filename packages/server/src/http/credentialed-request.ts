import type { CredentialedRequest } from '@watchword/protocol';
import { formParameters } from './form.ts';
import type { HttpRequest } from './request.ts';

/** A form request whose caller must say who it is. @throws OAuthError */
export function credentialedRequest(request: HttpRequest): CredentialedRequest {
  return {
    authorization: request.headers.authorization,
    parameters: formParameters(request),
    source: request.source,
    requestId: request.id,
  };
}
