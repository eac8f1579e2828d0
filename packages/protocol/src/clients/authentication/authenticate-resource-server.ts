import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { RequestHead } from '../../model/request-head.ts';
import { basicCredentials, isClientSecretBasic } from './client-secret-basic.ts';
import { type AuthenticationDependencies, authenticateCaller, type CallerKind } from './guard.ts';

const resourceServers: CallerKind<RequestHead, ResourceServer> = {
  // The body of the request is not read yet.
  read(request, methods) {
    const credentials = basicCredentials(request);
    const method = credentials && methods.find(isClientSecretBasic);
    return method && { method, credentials };
  },
  accepts: () => true,
  candidates: (id, registry) => [registry.resourceServerByKey(id)],
  missing: 'The request has no credentials; send key and secret of the resource server by HTTP Basic.',
};

/**
 * Authenticates the resource server that calls an endpoint: by HTTP Basic with its key and secret.
 *
 * @throws OAuthError `invalid_client`, `too_many_requests`
 */
export function authenticateResourceServer(
  request: RequestHead,
  deps: AuthenticationDependencies,
): ResourceServer | Promise<ResourceServer> {
  return authenticateCaller(request, resourceServers, deps);
}
