import { LoginSessions } from '@watchword/protocol';
import type { Core } from './core.ts';

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
    sessionIdleLifetime: configuration['session.idleLifetime'],
    sessionLifetime: configuration['session.lifetime'],
  });
}
