import {
  type AuthenticationDependencies,
  type AuthenticationMethodDependencies,
  type Clock,
  clientAuthenticationMethods,
  type Passwords,
  slowSecrets,
  systemIdentityProvider,
} from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import type { SharedServices } from '../../modules/services/instance-services.ts';
import type { Place } from '../../place.ts';
import { FailedAttempts } from '../../runtime/limits/failed-attempts.ts';
import { SharedFailedAttempts } from '../../runtime/limits/shared-failed-attempts.ts';
import type { Tracing } from '../../tracing/tracing.ts';

interface Surroundings {
  readonly configuration: Configuration;
  readonly place: Pick<Place, 'siblings'>;
  readonly tracing: Pick<Tracing, 'tracer'> | undefined;
}

type MethodParts = 'clientKeySets' | 'issuerKeySets' | 'profile' | 'secretUses';

interface Parts extends Pick<AuthenticationMethodDependencies, MethodParts> {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly services: SharedServices;
  readonly store: ServerStore;
}

/** How clients and resource servers authenticate. */
export function authenticationOf(
  { configuration, place, tracing }: Surroundings,
  parts: Parts,
): AuthenticationDependencies {
  const { baseUrl: issuer, clientKeySets, issuerKeySets, profile, secretUses } = parts;
  const { clock, passwords, services, store } = parts;
  const counts = new FailedAttempts({
    perIdentifier: configuration['failedAttempts.perIdentifier'],
    perAddress: configuration['failedAttempts.perAddress'],
  });
  // No authenticator has this name, so guesses at secrets and at passwords are counted apart.
  const slow = slowSecrets(passwords, services.loginAttemptsOf(systemIdentityProvider));
  const given = { clientKeySets, issuerKeySets, profile, secretUses };
  const ofMethods = { ...store, ...given, issuer, slowSecrets: slow };
  return {
    registry: store.registry,
    attempts: new SharedFailedAttempts(counts, place.siblings),
    clock,
    authenticationMethods: clientAuthenticationMethods(ofMethods),
    slowSecrets: slow,
    profile,
    tracer: tracing?.tracer,
  };
}
