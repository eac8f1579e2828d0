import { LoginSessions, type LoginStrength } from '@watchword/protocol';
import type { Configuration } from '../../config/settings.ts';
import type { Core } from '../core.ts';

export interface WithSessions {
  readonly sessions: LoginSessions;
}

type Parts = Pick<
  Core,
  'clock' | 'configuration' | 'identityProviders' | 'random' | 'store' | 'subjectSecret'
>;

/** The login sessions, for the features that begin and end them. */
export function composeSessions({ configuration, store, ...parts }: Parts): LoginSessions {
  return new LoginSessions({
    ...store,
    ...parts,
    strength: strengthOf(configuration),
    sessionIdleLifetime: configuration['session.idleLifetime'],
    sessionLifetime: configuration['session.lifetime'],
  });
}

/** What the operator says of authentication context classes. */
export function strengthOf(configuration: Configuration): LoginStrength {
  return { classes: configuration['factors.classes'], providers: configuration['factors.providers'] };
}
