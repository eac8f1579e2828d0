import {
  type AuthenticationModuleFactory,
  type ConsentModule,
  type ModuleOptions,
  ModuleOptionsError,
  type ModuleServices,
  OAuthError,
} from '@watchword/protocol';
import { ConfigurationError } from './config/fault.ts';
import { type Configuration, flagName, type SettingPath } from './config/settings.ts';
import { isLoopbackOnly } from './loopback-only.ts';
import { loadAuthenticationModule } from './modules/authentication-modules.ts';
import { loadConsentModule } from './modules/consent-modules.ts';
import type { CheckedAuthenticationModule } from './modules/contract/checked-authentication.ts';
import { ModuleLoadError } from './modules/load-module.ts';
import type { ModuleCalls } from './modules/module-calls.ts';
import { inEnglish } from './pages/locales.ts';
import type { Logger } from './runtime/logger.ts';

export interface Modules {
  readonly authenticator: CheckedAuthenticationModule;
  readonly consent: ConsentModule;
}

/**
 * Loads the modules that the configuration names, and refuses those that let everybody in where others than this
 * machine could come.
 *
 * @param own authentication modules that are built in, but made of parts of the server
 * @throws ConfigurationError
 */
export async function composeModules(
  configuration: Configuration,
  logger: Logger,
  own: Readonly<Record<string, AuthenticationModuleFactory>>,
  services: ModuleServices,
  calls: ModuleCalls,
): Promise<Modules> {
  const options = (setting: string, settings: ModuleOptions['settings']): ModuleOptions => ({
    settings,
    services,
    errors: { OAuthError, ModuleOptionsError },
    log: (level, message, details = {}) => logger[level]({ ...details, module: setting }, message),
  });
  const { authenticator, consent } = configuration;
  const modules = {
    authenticator: await orFault(
      loadAuthenticationModule(
        authenticator,
        own,
        options('authenticator', configuration.authenticatorOptions),
        calls,
      ),
    ),
    consent: await orFault(
      loadConsentModule(consent, options('consent', configuration.consentOptions), calls),
    ),
  };
  refuseInsecure(modules, configuration);
  for (const [setting, { name, insecureBecause }] of Object.entries(modules)) {
    if (insecureBecause !== undefined) {
      logger.warn(
        { [setting]: name },
        `INSECURE: the ${setting} module "${name}" is for development only: ${inEnglish(insecureBecause)}`,
      );
    }
  }
  return modules;
}

async function orFault<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error;
    const { setting: path, message: problem, optionFaults } = error;
    throw new ConfigurationError(
      optionFaults.length === 0
        ? [{ path, place: flagName(path as SettingPath), problem }]
        : optionFaults.map(({ option, problem }) => ({
            path: [`${path}Options`, option].filter((part) => part !== '').join('.'),
            place: flagName(`${path}Options` as SettingPath),
            problem,
          })),
    );
  }
}

/** A module that accepts anyone must never be reachable from outside by oversight. */
function refuseInsecure(modules: Modules, configuration: Configuration): void {
  const { host, baseUrl, allowInsecureAuthentication } = configuration;
  if (allowInsecureAuthentication || isLoopbackOnly(host, baseUrl)) return;
  const faults = Object.entries(modules).flatMap(([path, { name, insecureBecause }]) => {
    if (insecureBecause === undefined) return [];
    const advice =
      path === 'authenticator'
        ? 'Name a module that authenticates, such as "password"'
        : 'Name a module that asks, such as "form"';
    const problem = `"${name}" is for development, because ${inEnglish(insecureBecause)}, and the server can be reached from other machines (${host}, ${baseUrl}). ${advice}, or set allowInsecureAuthentication to true`;
    return { path, place: flagName(path as SettingPath), problem };
  });
  if (faults.length > 0) throw new ConfigurationError(faults);
}
