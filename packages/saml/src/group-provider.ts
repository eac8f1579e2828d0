import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ModuleOptions, ModuleOptionsError, pathProblem, shown } from '@watchword/protocol';

/** Adds groups that the identity provider does not know: made by the package or file that `groupProvider` names. */
export interface GroupProvider {
  /** The groups of a user who logs in, within 5 s. If there is an error, the login fails. */
  groups(person: GroupMember): Promise<readonly string[]>;
}

export interface GroupMember {
  readonly name: string;
  /** The identity provider of the name. */
  readonly identityProvider: string;
  /** The values of the assertion by the name of the attribute. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** The default export of that package or file. */
export type GroupProviderFactory = (
  options: Pick<ModuleOptions, 'settings' | 'log'>,
) => GroupProvider | Promise<GroupProvider>;

const timeout = 5000;

/** @throws ModuleOptionsError */
export async function loadGroupProvider(
  name: string,
  options: Pick<ModuleOptions, 'settings' | 'log'>,
): Promise<GroupProvider> {
  const problem = pathProblem(name, true);
  if (problem !== undefined) {
    throw new ModuleOptionsError([
      {
        option: 'groupProvider',
        problem: `expected the name of a package, or the path of a file; ${problem}`,
      },
    ]);
  }
  const isPath = /^(?:\.{0,2}[/\\]|[A-Za-z]:\\)/.test(name);
  try {
    const { default: factory } = await import(isPath ? pathToFileURL(resolve(name)).href : name);
    const provider = await (factory as GroupProviderFactory)(options);
    if (typeof provider.groups === 'function') return provider;
    throw new TypeError('its factory must return an object with a function groups');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new ModuleOptionsError([
      { option: 'groupProvider', problem: `${shown(name, 200)} cannot be loaded: ${reason}` },
    ]);
  }
}

/** The groups of the user, or an error after the timeout. */
export async function askForGroups(provider: GroupProvider, person: GroupMember): Promise<readonly string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeout / 1000} s`)), timeout);
  try {
    const groups: unknown = await Promise.race([provider.groups(person), late.promise]);
    if (Array.isArray(groups) && groups.every((group) => typeof group === 'string')) return groups;
    throw new TypeError('expected a list of texts');
  } finally {
    clearTimeout(timer);
  }
}
