import { type DocumentClients, type GrantType, tokenEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { withNonce } from '../http/credentialed-request.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'authentication'
  | 'configuration'
  | 'dpopProofs'
  | 'instruments'
  | 'profile'
  | 'random'
  | 'requestErrors'
  | 'requests'
  | 'scopeSyntax'
  | 'securityLog'
  | 'store'
>;

/** The token endpoint, `POST /oauth2/token` (RFC 6749 §3.2). @param grantTypes of all features, as the next one */
export function token(
  {
    authentication,
    configuration,
    dpopProofs,
    instruments,
    profile,
    random,
    requestErrors,
    requests,
    scopeSyntax,
    securityLog,
    store,
  }: Parts,
  grantTypes: readonly GrantType[],
  documentClients: DocumentClients | undefined,
): Feature {
  const { registry } = store;
  const answer = tokenEndpoint({
    ...authentication,
    auditEvents: store.auditEvents,
    documentClients,
    dpopProofs,
    grantTypes,
    instruments,
    omitsZeroExpiresIn: configuration['token.omitZeroExpiresIn'],
    profile,
    random,
    requestErrorLog: requestErrors,
    scopeSyntax,
    securityLog,
    tracer: authentication.tracer,
  });
  const bindsToCertificates = configuration['clientCertificate.header'] !== undefined;
  return {
    // RFC 8705 §3.3.
    metadata: bindsToCertificates ? { tls_client_certificate_bound_access_tokens: true } : {},
    endpoints: [
      {
        path: '/oauth2/token',
        origins: (origin) => registry.isPublicClientOrigin(origin),
        methods: {
          POST: async (request) => {
            const form = requests.form(request);
            const body = await answer(form);
            return withNonce({ body }, form);
          },
        },
      },
    ],
  };
}
