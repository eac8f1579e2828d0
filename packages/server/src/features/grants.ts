import { grantTypesOf } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Feature } from './feature.ts';

/** The grants that are built in. */
export function grants({
  accessTokenFormats,
  configuration,
  store,
  clock,
  random,
  identityProviders,
  openid: { issueIdToken },
  profile,
}: Pick<
  Core,
  | 'accessTokenFormats'
  | 'configuration'
  | 'store'
  | 'clock'
  | 'random'
  | 'identityProviders'
  | 'openid'
  | 'profile'
>): Feature {
  const deps = {
    ...store,
    accessTokenFormats,
    clock,
    random,
    identityProviders,
    issueIdToken,
    profile,
    refreshIdleLifetime: configuration['refresh.idleLifetime'],
    refreshLifetime: configuration['refresh.lifetime'],
    refreshGrace: configuration['refresh.graceSeconds'],
    publicRefreshGrace: configuration['refresh.publicGraceSeconds'],
    refreshGraceStreak: configuration['refresh.graceStreak'],
  };
  return { grantTypes: grantTypesOf(deps) };
}
