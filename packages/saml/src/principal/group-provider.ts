import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ModuleOptions, ModuleOptionsError } from '@watchword/protocol';

/** Knows groups of people that their identity provider does not: what a package or file named as `groupProvider` makes. */
export interface GroupProvider {
  /** The groups of somebody who logs in, at most 5 s later. What it throws refuses the login. */
  groups(person: GroupMember): Promise<readonly string[]>;
}

export interface GroupMember {
  readonly name: string;
  /** Who vouches for the name. */
  readonly authority: string;
  /** What the identity provider says, by name of the attribute. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** What that package or file exports as its default. */
export type GroupProviderFactory = (
  options: Pick<ModuleOptions, 'settings' | 'log'>,
) => GroupProvider | Promise<GroupProvider>;

const timeout = 5000;

/** @throws ModuleOptionsError */
export async function loadGroupProvider(
  name: string,
  options: Pick<ModuleOptions, 'settings' | 'log'>,
): Promise<GroupProvider> {
  const isPath = /^(?:\.{0,2}[/\\]|[A-Za-z]:\\)/.test(name);
  try {
    const { default: factory } = await import(isPath ? pathToFileURL(resolve(name)).href : name);
    const provider = await (factory as GroupProviderFactory)(options);
    if (typeof provider.groups === 'function') return provider;
    throw new TypeError('its factory must return an object with groups');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new ModuleOptionsError([
      { option: 'groupProvider', problem: `${JSON.stringify(name)} cannot be loaded: ${reason}` },
    ]);
  }
}

/** Asks, and does not wait for ever. */
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
