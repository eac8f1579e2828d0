import { accountIdentityProvider } from '@watchword/protocol';
import { type Configuration, flagName } from '../../config/settings.ts';
import { ConfigurationError } from '../../configuration-error.ts';
import { loadAuthenticationModule } from '../../modules/authentication-modules.ts';
import {
  authenticatorConflict,
  belongsTo,
  type ConfiguredAuthenticator,
} from '../../modules/authenticator-conflicts.ts';
import { instanceServices } from '../../modules/services/instance-services.ts';
import { loadedAs, type ModuleDependencies, type NamedModule, optionsOf } from './named-module.ts';

/** An authenticator as the configuration names it. */
export interface NamedAuthenticator extends NamedModule {
  readonly as?: string | undefined;
  readonly label?: string | undefined;
  readonly linkByVerifiedAddress?: readonly string[] | undefined;
}

export interface ComposedAuthenticator extends ConfiguredAuthenticator {
  readonly named: NamedAuthenticator;
}

/** Loads the authenticators, in the order of the configuration. @throws ConfigurationError */
export async function composeAuthenticators(deps: ModuleDependencies): Promise<ComposedAuthenticator[]> {
  const composed: ComposedAuthenticator[] = [];
  for (const named of authenticatorsOf(deps.configuration)) {
    const authenticator = await compose(named, composed, deps);
    const problem = authenticatorConflict(authenticator, composed);
    if (problem !== undefined) throw new ConfigurationError([{ ...named.at, problem }]);
    composed.push(authenticator);
  }
  return composed;
}

/** The list of the setting `authenticators`, or the one module of `authenticator`. */
export function authenticatorsOf(configuration: Configuration): NamedAuthenticator[] {
  const { authenticators, authenticator, authenticatorOptions } = configuration;
  const place = flagName('authenticators');
  if (authenticators.length > 0) {
    return authenticators.map(({ options = {}, ...named }, index) => ({
      ...{ setting: 'authenticator', ...named, settings: options },
      at: { path: `authenticators[${index}]`, place },
      optionsAt: { path: `authenticators[${index}].options`, place },
    }));
  }
  return [
    {
      ...{ setting: 'authenticator', module: authenticator, settings: authenticatorOptions },
      at: { path: 'authenticator', place: flagName('authenticator') },
      optionsAt: { path: 'authenticatorOptions', place: flagName('authenticatorOptions') },
    },
  ];
}

/** @param all the authenticators so far; later ones are added to the same list */
async function compose(
  named: NamedAuthenticator,
  all: readonly ComposedAuthenticator[],
  { logger, own, services, calls, isOfStored }: ModuleDependencies,
): Promise<ComposedAuthenticator> {
  const { module: name, as, label } = named;
  if (as !== undefined && Object.hasOwn(own, name)) {
    const problem = `"${name}" is the login of the local accounts, which exist once for the server; remove as`;
    throw new ConfigurationError([{ ...named.at, problem }]);
  }
  const options = optionsOf(named, instanceServices(services, { name: () => module.name, as }), logger, as);
  // The local accounts exist also where users cannot log in to them, with the records that they own.
  const isForeign = (identityProvider: string) =>
    identityProvider === accountIdentityProvider ||
    isOfStored(identityProvider) ||
    all.some((other) => other.module !== module && belongsTo(other, identityProvider));
  const loading = loadAuthenticationModule({ module: name, as, isForeign }, own, options, calls);
  const loaded = await loadedAs(named, loading);
  const module = label === undefined ? loaded : { ...loaded, label };
  return { named, module, isNamed: as !== undefined };
}
