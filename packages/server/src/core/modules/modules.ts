import type { ConfiguredAuthenticator, RegistrationRight } from '@watchword/administration';
import type { ConsentModule } from '@watchword/protocol';
import { flagName } from '../../config/settings.ts';
import { ConfigurationError } from '../../configuration-error.ts';
import { loadConsentModule } from '../../modules/consent-modules.ts';
import type { CheckedAuthenticationModule } from '../../modules/contract/checked-authentication.ts';
import { instanceServices } from '../../modules/services/instance-services.ts';
import { inEnglish } from '../../pages/texts/locales.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { composeAuthenticators } from './authenticators.ts';
import {
  insecureProblems,
  loadedAs,
  type ModuleDependencies,
  type NamedModule,
  optionsOf,
} from './named-module.ts';

export interface Modules {
  /** By name, in the order in which users see them. */
  readonly authenticators: Map<string, CheckedAuthenticationModule>;
  /** Those of the configuration. */
  readonly configured: readonly ConfiguredAuthenticator[];
  readonly consent: ConsentModule;
  /** By the name of an authenticator: the domains of addresses by which it links its users to local accounts. */
  readonly trustedDomains: ReadonlyMap<string, readonly string[]>;
  /** Whether one of them is for development only. */
  readonly isForDevelopment: boolean;
}

/**
 * Loads the modules that the configuration names. If other machines can reach the server, a module that is for development
 * only is an error.
 *
 * @throws ConfigurationError
 */
export async function composeModules(deps: ModuleDependencies): Promise<Modules> {
  const { configuration, logger, services, calls } = deps;
  const authenticators = await composeAuthenticators(deps);
  const named: NamedModule = {
    setting: 'consent',
    module: configuration.consent,
    settings: configuration.consentOptions,
    at: { path: 'consent', place: flagName('consent') },
    optionsAt: { path: 'consentOptions', place: flagName('consentOptions') },
  };
  const options = optionsOf(named, instanceServices(services, { name: () => named.setting }), logger);
  const consent = await loadedAs(named, loadConsentModule(named.module, options, calls));
  const all = [...authenticators, { named, module: consent }];
  const problems = all.flatMap((each) => insecureProblems(each.named, each.module, deps));
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (deps.warns && authenticators.some(({ module }) => module.insecureBecause === undefined))
    reportOpenRegistration(configuration['administration.registration'], logger);
  return {
    authenticators: new Map(authenticators.map(({ module }) => [module.name, module])),
    configured: authenticators.map(({ module, named }) => ({
      name: module.name,
      module: named.module,
      label: inEnglish(module.label ?? module.name),
      setting: named.at.path,
    })),
    consent,
    trustedDomains: new Map(
      authenticators.map(({ module, named }) => [module.name, named.linkByVerifiedAddress ?? []]),
    ),
    isForDevelopment: all.some(({ module }) => module.insecureBecause !== undefined),
  };
}

/** An employee can register an application that looks like one of the employer. */
function reportOpenRegistration(registration: RegistrationRight, logger: Logger): void {
  if (registration !== 'everyone') return;
  logger.warn(
    { registration },
    'every user who can log in may register applications; administrators or group:NAME in administration.registration narrows that',
  );
}
