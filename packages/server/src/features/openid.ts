import { openidMetadata, openidScopes, userinfoEndpoint } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { userinfoRoute } from '../http/userinfo.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'accessTokenFormats'
  | 'authentication'
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'identityProviders'
  | 'logger'
  | 'openid'
  | 'pages'
  | 'place'
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
  identityProviders,
  logger,
  openid: { subjects, userClaims },
  pages,
  place,
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
    identityProviders,
    issuer,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    signer,
    subjects,
    userClaims,
  });
  return {
    endpoints: [userinfoRoute(answer, (origin) => registry.isPublicClientOrigin(origin))],
    get metadata() {
      return openidMetadata(issuer, {
        signingAlgorithms: signer.algorithms,
        claims: userClaims.names,
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
