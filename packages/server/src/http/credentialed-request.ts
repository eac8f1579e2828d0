import type { CredentialedRequest } from '@watchword/protocol';
import type { FastifyRequest } from 'fastify';
import { formParameters } from './form.ts';

/** A form request whose caller must say who it is. @throws OAuthError */
export function credentialedRequest(request: FastifyRequest): CredentialedRequest {
  return {
    authorization: request.headers.authorization,
    parameters: formParameters(request),
    source: request.ip,
    requestId: request.id,
  };
}
