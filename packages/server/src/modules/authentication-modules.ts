import {
  type AuthenticationModule,
  type AuthenticationModuleFactory,
  type AuthenticationModuleOptions,
  accountIdentityProvider,
  isReservedIdentityProvider,
  type ModuleOptions,
} from '@watchword/protocol';
import { formModule } from './authentication/form.ts';
import { noopAdminModule, noopModule } from './authentication/noop.ts';
import {
  type CheckedAuthenticationModule,
  checkedAuthentication,
} from './contract/checked-authentication.ts';
import { loadModule, ModuleLoadError } from './load-module.ts';
import type { ModuleCalls } from './module-calls.ts';
import { namedInstance } from './named-instance.ts';

const builtIn = { form: formModule, noop: noopModule, 'noop-admin': noopAdminModule };

export interface AuthenticatorInstance {
  /** Name of a built-in module, of a package, or a path. */
  readonly module: string;
  /** The name that the operator gave this instance. */
  readonly as?: string | undefined;
  /** Whether an identity provider belongs to another authenticator. Asked once all of them are loaded. */
  isForeign(identityProvider: string): boolean;
}

/**
 * An authentication module that the configuration names.
 *
 * @param own built in, but made of parts of the server
 * @throws ModuleLoadError
 */
export async function loadAuthenticationModule(
  { module: name, as, isForeign }: AuthenticatorInstance,
  own: Readonly<Record<string, AuthenticationModuleFactory>>,
  options: ModuleOptions,
  calls: ModuleCalls,
): Promise<CheckedAuthenticationModule> {
  const inner = new Set<string>();
  const load = (which: string, given: ModuleOptions): Promise<AuthenticationModule> =>
    loadModule<AuthenticationModule, AuthenticationModuleOptions>(
      which,
      { ...builtIn, ...own },
      {
        ...given,
        async authenticator(other, settings = {}) {
          const made = await load(other, { ...given, settings });
          if (Object.hasOwn(own, other)) inner.add(made.name);
          return made;
        },
      },
    );
  const module = await load(name, options);
  if (as !== undefined && inner.has(accountIdentityProvider)) {
    throw new ModuleLoadError(
      `"${name}" is made of the login of the local accounts, which exist once for the server; remove as`,
    );
  }
  const isOwn = Object.hasOwn(own, name) || inner.has(module.name);
  const reserved = as === undefined && !isOwn ? reservedFor(module.name) : undefined;
  if (reserved !== undefined) {
    throw new ModuleLoadError(
      `"${name}" has the name "${module.name}", which is reserved for ${reserved}. A user who logs in by this module would be taken for one of them. Give it a name of its own in the setting authenticators: as`,
    );
  }
  try {
    if (as === undefined) return checkedAuthentication(module, calls, module.name, isForeign);
    // Its identity providers begin with its name, so they belong to no other authenticator.
    return namedInstance(checkedAuthentication(module, calls, as), as);
  } catch (error) {
    throw new ModuleLoadError(`"${name}": ${(error as Error).message}`, error);
  }
}

/** The identities that a module of this name would be the identity provider of; `undefined` when a module can have the name. */
function reservedFor(name: string): string | undefined {
  if (name === accountIdentityProvider) return 'the local accounts';
  return isReservedIdentityProvider(name) ? 'the server, its clients and its command line' : undefined;
}
