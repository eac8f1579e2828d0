import {
  openidMetadata,
  openidScopes,
  optionalParameter,
  supportedClasses,
  type UserinfoEndpoint,
  userinfoEndpoint,
} from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { type CallerRequests, withNonce } from '../http/credentialed-request.ts';
import type { Endpoint, Handler, OriginCheck } from '../http/endpoint.ts';
import { formParameters, hasQueryParameter } from '../http/form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'authentication'
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'dpopProofs'
  | 'identityProviders'
  | 'logger'
  | 'openid'
  | 'pages'
  | 'place'
  | 'requests'
  | 'signing'
  | 'store'
>;

/** OpenID Connect: the userinfo endpoint, and its part of the metadata. */
export function openid({
  accessTokenFormats,
  authentication,
  baseUrl: issuer,
  clock,
  configuration,
  dpopProofs,
  identityProviders,
  logger,
  openid: { subjects, userClaims },
  pages,
  place,
  requests,
  signing,
  store,
}: Parts): Feature {
  const { registry } = store;
  const { signer } = signing;
  const { attempts } = authentication;
  const answer = userinfoEndpoint({
    ...store,
    accessTokenFormats,
    attempts,
    clock,
    dpopProofs,
    identityProviders,
    issuer,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    signer,
    subjects,
    userClaims,
  });
  return {
    endpoints: [userinfoRoute(answer, requests, (origin) => registry.isPublicClientOrigin(origin))],
    get metadata() {
      return openidMetadata(issuer, {
        signingAlgorithms: signer.algorithms,
        claims: userClaims.names,
        loginClasses: supportedClasses({ classes: configuration['factors.classes'] }),
        languages: pages.languages(),
      });
    },
    start() {
      if (!place.isFirst) return undefined;
      logOwnScopes({ logger, store });
      logMissingAlgorithm({ logger, signing });
      return undefined;
    },
  };
}

/** A resource server that had a scope of such a name before keeps it: its clients get no claims or ID tokens by it. */
function logOwnScopes({ logger, store: { registry } }: Pick<Parts, 'logger' | 'store'>): void {
  for (const { key, scopes } of registry.resourceServers()) {
    const own = scopes.filter((scope) => (openidScopes as readonly string[]).includes(scope));
    if (own.length === 0) continue;
    logger.warn(
      { resourceServer: key, scopes: own },
      'a resource server has scopes with names of OpenID Connect; there they keep the meaning that the resource server gives them',
    );
  }
}

/** OpenID Connect Discovery §3: a client that names no algorithm can expect this one. */
const demandedAlgorithm = 'RS256';

function logMissingAlgorithm({ logger, signing: { signer } }: Pick<Parts, 'logger' | 'signing'>): void {
  const { algorithms } = signer;
  if (algorithms.includes(demandedAlgorithm)) return;
  logger.warn(
    { algorithms },
    `the setting signing.algorithms lacks ${demandedAlgorithm}, which OpenID Connect Discovery section 3 demands: clients that know no other algorithm cannot log users in`,
  );
}

/**
 * `/oauth2/userinfo` (OpenID Connect Core §5.3): the access token is in the header, or in the form body of a POST. A body beside a
 * header is not read: libraries send an empty one of another type.
 */
function userinfoRoute(answer: UserinfoEndpoint, requests: CallerRequests, origins: OriginCheck): Endpoint {
  const handler =
    (formTokenOf: (request: HttpRequest) => string | undefined): Handler =>
    async (request) => {
      const head = requests.head(request);
      const userinfo = await answer({
        formToken: formTokenOf(request),
        hasTokenInQuery: hasQueryParameter(request, 'access_token'),
        head,
      });
      if ('claims' in userinfo) return withNonce({ body: userinfo.claims }, head);
      const headers = { 'content-type': 'application/jwt' };
      return withNonce({ headers, body: userinfo.jwt }, head);
    };
  return {
    path: '/oauth2/userinfo',
    origins,
    methods: {
      GET: handler(() => undefined),
      POST: handler((request) =>
        request.headers.authorization === undefined
          ? optionalParameter(formParameters(request), 'access_token')
          : undefined,
      ),
    },
  };
}
