import type { AuthenticatorModules, CheckedAuthenticator } from '@watchword/administration';
import {
  type AuthenticatorReader,
  isOfAuthenticator,
  KeyManagementError,
  type ModuleOptions,
  reservedAuthenticatorNames,
  type StoredAuthenticator,
  type UsedName,
} from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import { type Configuration, flagName } from '../../config/settings.ts';
import { ConfigurationError } from '../../configuration-error.ts';
import { loadAuthenticationModule } from '../../modules/authentication-modules.ts';
import { type KindModule, kindModules } from '../../modules/authenticator-kinds.ts';
import type { CheckedAuthenticationModule } from '../../modules/contract/checked-authentication.ts';
import { type LiveAuthenticator, liveAuthenticator } from '../../modules/live-authenticator.ts';
import { ModuleLoadError } from '../../modules/load-module.ts';
import type { ModuleCalls } from '../../modules/module-calls.ts';
import { testLoginUrl } from '../../modules/named-instance.ts';
import { instanceServices, type SharedServices } from '../../modules/services/instance-services.ts';
import type { ModuleTexts } from '../../pages/texts/locales.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { LostSecretError, type OpenCustody, openedSettings, sealedSettings } from '../sealed-settings.ts';
import type { Modules } from './modules.ts';
import { optionsOf } from './named-module.ts';

interface StoredDependencies {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly services: SharedServices;
  readonly calls: ModuleCalls;
  /** All authenticators of the node. Those of the database are added to those of the configuration. */
  readonly authenticators: Map<string, CheckedAuthenticationModule>;
  readonly storedAuthenticators: AuthenticatorReader;
  readonly custody: OpenCustody;
  addTexts(texts: ModuleTexts): void;
}

type Candidate = Pick<StoredAuthenticator, 'name' | 'kind' | 'settings'>;

/** The authenticators that administrators set up, kept equal to the database. */
export class StoredAuthenticators {
  readonly #deps: StoredDependencies;
  readonly #live = new Map<string, LiveAuthenticator>();
  /** Names that authenticators of the database have or had. */
  #usedNames: readonly string[];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #loading = new Set<Promise<void>>();

  constructor(deps: StoredDependencies, used: readonly UsedName[] = []) {
    this.#deps = deps;
    this.#usedNames = ofDatabase(used);
  }

  /** Whether the identity provider is or was of an authenticator of the database. */
  owns(identityProvider: string): boolean {
    return this.#usedNames.some((name) => isOfAuthenticator(name, identityProvider));
  }

  /** The domains by whose addresses the authenticator links its users to local accounts. */
  trustedDomains(name: string): readonly string[] | undefined {
    const domains = this.#live.get(name)?.record().settings.linkByVerifiedAddress;
    return Array.isArray(domains) ? domains : undefined;
  }

  has(name: string): boolean {
    return this.#live.has(name);
  }

  /** Applies the changes that were committed before the call. What is taken away is gone when it resolves. */
  refresh(): Promise<void> {
    const read = this.#turn.then(() => this.#read());
    this.#turn = read.catch(() => {});
    return read;
  }

  /** Resolves when every module is made, or cannot be. */
  async loaded(): Promise<void> {
    await Promise.all(this.#loading);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close?.()));
  }

  /** Makes the module of a record for a trial. */
  async check(candidate: Candidate): Promise<CheckedAuthenticator> {
    const { settings } = candidate;
    const kind = kindModules[candidate.kind];
    if (kind === undefined) return { settings, problems: [] };
    const reasons: string[] = [];
    const log: ModuleOptions['log'] = (_, message, { reason } = {}) => {
      if (typeof reason === 'string' && message.includes('cannot be used')) reasons.push(reason);
    };
    const refused = (setting: string, problem: string) => ({ settings, problems: [{ setting, problem }] });
    try {
      const module = await this.#load(candidate, kind, log);
      const problems = module.problems();
      const found = module.describe();
      await module.close?.();
      if (problems.length > 0) {
        const setting = kind.settingOf('', settings);
        return refused(setting, [...problems, ...reasons].map(asSetUp).join(' '));
      }
      const own = found.identityProviders.map((each) => ({
        ...each,
        identityProvider: each.identityProvider.slice(candidate.name.length + 1),
      }));
      const completed = kind.completed(settings, { ...found, identityProviders: own });
      if (!('settings' in completed)) return refused(completed.setting, completed.problem);
      const stored = await sealedSettings({ ...candidate, settings: completed.settings }, this.#deps.custody);
      return { settings: stored, problems: [] };
    } catch (error) {
      if (error instanceof LostSecretError) return refused(error.setting, error.message);
      if (error instanceof KeyManagementError) return refused(kind.settingOf('', settings), error.message);
      if (!(error instanceof ModuleLoadError)) throw error;
      const { optionProblems } = error;
      if (optionProblems.length === 0) return refused(kind.settingOf('', settings), error.message);
      return {
        settings,
        problems: optionProblems.map(({ option, problem }) => ({
          setting: kind.settingOf(option, settings),
          problem: asSetUp(problem),
        })),
      };
    }
  }

  async #read(): Promise<void> {
    const { authenticators, storedAuthenticators } = this.#deps;
    const heads = await storedAuthenticators.heads();
    for (const [name, live] of this.#live) {
      if (heads.some((head) => head.name === name)) continue;
      authenticators.delete(name);
      this.#live.delete(name);
      void live.close?.();
    }
    const changed = heads.filter(
      ({ name, revision }) => this.#live.get(name)?.record().revision !== revision,
    );
    if (changed.length === 0) return;
    this.#usedNames = ofDatabase(await storedAuthenticators.names());
    for (const { name } of changed) {
      const record = await storedAuthenticators.find(name);
      if (record !== undefined) this.#apply(record);
    }
  }

  #apply(record: StoredAuthenticator): void {
    const { authenticators, logger } = this.#deps;
    const { name } = record;
    const known = this.#live.get(name);
    const isSame = JSON.stringify(known?.record().settings) === JSON.stringify(record.settings);
    if (known !== undefined && isSame) {
      known.rename(record);
      return;
    }
    const live =
      known ??
      liveAuthenticator(record, (problem) =>
        logger.error({ authenticator: name, problem }, 'an identity provider cannot be used'),
      );
    this.#live.set(name, live);
    authenticators.set(name, live);
    const loading = live.replace(record, this.#made(record));
    this.#loading.add(loading);
    void loading.finally(() => this.#loading.delete(loading));
  }

  async #made(record: StoredAuthenticator): Promise<CheckedAuthenticationModule> {
    const kind = kindModules[record.kind];
    if (kind === undefined) {
      throw new Error(
        `This release does not know the kind ${record.kind}. Upgrade this server, or delete it.`,
      );
    }
    const { logger } = this.#deps;
    const module = await this.#load(record, kind, (level, message, details = {}) =>
      logger[level]({ ...details, module: 'authenticator', authenticator: record.name }, message),
    );
    if (module.texts !== undefined) this.#deps.addTexts(module.texts);
    return module;
  }

  async #load(
    candidate: Candidate,
    kind: KindModule,
    log: ModuleOptions['log'],
  ): Promise<CheckedAuthenticationModule> {
    const { calls, configuration, custody, logger, services } = this.#deps;
    const { name } = candidate;
    const settings = await openedSettings(candidate, custody);
    const named = {
      setting: 'authenticator' as const,
      module: kind.module,
      settings: kind.optionsOf(settings, { privateHosts: configuration['outbound.privateHosts'] }),
      at: { path: '', place: '' },
      optionsAt: { path: '', place: '' },
    };
    const own = instanceServices(services, { name: () => name, as: name });
    const options = { ...optionsOf(named, own, logger, name), log };
    try {
      const instance = { module: kind.module, as: name, isForeign: () => false };
      return await loadAuthenticationModule(instance, {}, options, calls);
    } catch (error) {
      if (!(error instanceof ModuleLoadError) || !isMissing(error.cause)) throw error;
      throw new ModuleLoadError(
        `the package ${kind.module} is not installed beside the server; run npm install ${kind.module} there, and start the server again`,
        error,
      );
    }
  }
}

/**
 * Follows the authenticators of the database. Names of the configuration are remembered, so that no authenticator of the database can get one later.
 *
 * @throws ConfigurationError for a name that the database had first
 */
export async function storedAuthenticators(
  deps: Omit<StoredDependencies, 'authenticators' | 'storedAuthenticators'>,
  { configured, authenticators }: Modules,
  store: ServerStore,
  resources: AsyncDisposableStack,
): Promise<StoredAuthenticators> {
  const used = await store.storedAuthenticators.names();
  const problems = configured.flatMap(({ name, setting }) => {
    const problem = `the name "${name}" is or was that of an identity provider that an administrator set up, whose users would be taken for users of this one. Give it another name with the option "as"`;
    return ofDatabase(used).includes(name)
      ? [{ path: setting, place: flagName('authenticators'), problem }]
      : [];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  const names = configured
    .map(({ name }) => name)
    .filter((name) => !reservedAuthenticatorNames.includes(name));
  if (names.some((name) => !used.some((each) => each.name === name))) {
    await store.transact(({ storedAuthenticators }) => storedAuthenticators.useNames(names));
  }
  const { storedAuthenticators } = store;
  const stored = new StoredAuthenticators({ ...deps, authenticators, storedAuthenticators }, used);
  resources.defer(() => stored.close());
  await stored.refresh();
  await stored.loaded();
  store.followChanges(() => stored.refresh());
  return stored;
}

/** What the administration knows of the modules of this node. */
export function authenticatorModules(
  configured: ReturnType<AuthenticatorModules['configured']>,
  stored: StoredAuthenticators,
  authenticators: ReadonlyMap<string, CheckedAuthenticationModule>,
  baseUrl: string,
): AuthenticatorModules {
  return {
    configured: () => configured,
    state(name) {
      const module = authenticators.get(name);
      return module && { ...module.describe(), problems: module.problems() };
    },
    loaded: () => stored.loaded(),
    check: (candidate) => stored.check(candidate),
    testUrl: (name, testId) => testLoginUrl(baseUrl, name, testId),
  };
}

function ofDatabase(used: readonly UsedName[]): readonly string[] {
  return used.filter(({ origin }) => origin === 'database').map(({ name }) => name);
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
}

/** An administrator has settings, and no options. */
function asSetUp(problem: string): string {
  return problem.replaceAll('allowPrivateAddresses', 'the setting outbound.privateHosts');
}
