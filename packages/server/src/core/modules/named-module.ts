import {
  type AuthenticationModuleFactory,
  type ModuleOptions,
  ModuleOptionsError,
  OAuthError,
} from '@watchword/protocol';
import type { Configuration } from '../../config/settings.ts';
import { ConfigurationError, type Problem } from '../../configuration-error.ts';
import { isLoopbackOnly } from '../../loopback-only.ts';
import { ModuleLoadError } from '../../modules/load-module.ts';
import type { ModuleCalls } from '../../modules/module-calls.ts';
import type { SharedServices } from '../../modules/services/instance-services.ts';
import { inEnglish } from '../../pages/texts/locales.ts';
import type { Logger } from '../../runtime/log/logger.ts';

export interface ModuleDependencies {
  readonly configuration: Configuration;
  readonly logger: Logger;
  /** Built-in authentication modules that use parts of the server. */
  readonly own: Readonly<Record<string, AuthenticationModuleFactory>>;
  readonly services: SharedServices;
  readonly calls: ModuleCalls;
  /** Whether an identity provider is or was of an authenticator of the database, whose users no other one can name. */
  isOfStored(identityProvider: string): boolean;
  /** Whether modules for development are warned about. */
  readonly warns: boolean;
}

/** A place in the configuration. */
export type Place = Pick<Problem, 'path' | 'place'>;

/** A module as a setting names it. */
export interface NamedModule {
  readonly setting: 'authenticator' | 'consent';
  /** Built in, a package or a file. */
  readonly module: string;
  readonly settings: ModuleOptions['settings'];
  readonly at: Place;
  readonly optionsAt: Place;
}

/** The description of a module by itself. */
export interface DescribedModule {
  readonly name: string;
  readonly insecureBecause?: string;
}

/** The argument of the factory of a module. */
export function optionsOf(
  { setting, settings }: NamedModule,
  services: ModuleOptions['services'],
  logger: Logger,
  instance?: string,
): ModuleOptions {
  const which = { module: setting, ...(instance !== undefined && { authenticator: instance }) };
  return {
    settings,
    services,
    errors: { OAuthError, ModuleOptionsError },
    log: (level, message, details = {}) => logger[level]({ ...details, ...which }, message),
  };
}

/** @throws ConfigurationError for a module that cannot be loaded, or that rejects its options */
export async function loadedAs<Module>(
  { at, optionsAt }: NamedModule,
  loading: Promise<Module>,
): Promise<Module> {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error;
    const { message: problem, optionProblems } = error;
    if (optionProblems.length === 0) throw new ConfigurationError([{ ...at, problem }]);
    throw new ConfigurationError(
      optionProblems.map(({ option, problem }) => ({
        path: [optionsAt.path, option].filter((part) => part !== '').join('.'),
        place: optionsAt.place,
        problem,
      })),
    );
  }
}

/**
 * Warns of a module that is for development only, if this process warns.
 *
 * @returns the problem, if other machines can reach the server and the operator has not allowed such modules
 */
export function insecureProblems(
  { setting, at }: NamedModule,
  { name, insecureBecause }: DescribedModule,
  {
    configuration: { host, baseUrl, allowInsecureAuthentication },
    logger,
    warns,
  }: Pick<ModuleDependencies, 'configuration' | 'logger' | 'warns'>,
): Problem[] {
  if (insecureBecause === undefined) return [];
  const reason = inEnglish(insecureBecause);
  if (allowInsecureAuthentication || isLoopbackOnly(host, baseUrl)) {
    const warning = `INSECURE: the ${setting} module "${name}" is for development only: ${reason}`;
    if (warns) logger.warn({ [setting]: name }, warning);
    return [];
  }
  const advice =
    setting === 'authenticator'
      ? 'Name a module that authenticates, such as "password"'
      : 'Name a module that asks, such as "form"';
  const problem = `"${name}" is for development, because ${reason}, and the server can be reached from other machines (${host}, ${baseUrl}). ${advice}, or set allowInsecureAuthentication to true`;
  return [{ ...at, problem }];
}
