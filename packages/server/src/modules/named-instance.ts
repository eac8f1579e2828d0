import type { AuthenticationStep, ModuleAnswer, ModuleEndpoint } from '@watchword/protocol';
import type { CheckedAuthenticationModule } from './contract/checked-authentication.ts';

/** The path, below the base URL, of the addresses of an instance that the operator named. */
export function instancePath(name: string): string {
  return `/login/${name}`;
}

/** Where a browser begins a test login. */
export function testLoginUrl(baseUrl: string, as: string, testId: string): string {
  return `${baseUrl}${instancePath(as)}/test?id=${encodeURIComponent(testId)}`;
}

/** A key of an instance. Two instances of one module never have the same key in the database. */
export function instanceKey(name: string, key: string): string {
  return `${name}:${key}`;
}

/**
 * A module with a name that the operator gave it with `as`. The name becomes part of its identity providers, its addresses, and
 * the keys of its sessions, so that these never conflict with those of another instance of the same module.
 */
export function namedInstance(
  module: CheckedAuthenticationModule,
  name: string,
): CheckedAuthenticationModule {
  const prefix = instanceKey(name, '');
  /** The name of the module represents the instance. Any other name represents an identity provider that the module names. */
  const outside = (identityProvider = module.name) =>
    identityProvider === module.name ? name : `${prefix}${identityProvider}`;
  const inside = (identityProvider: string) => {
    if (identityProvider === name) return module.name;
    return identityProvider.startsWith(prefix) ? identityProvider.slice(prefix.length) : undefined;
  };
  const step = (answered: AuthenticationStep): AuthenticationStep => {
    if (answered.type !== 'authenticated') return answered;
    const { identityProvider, link } = answered;
    return {
      ...answered,
      identityProvider: outside(identityProvider),
      ...(link && { link: { ...link, key: instanceKey(name, link.key) } }),
    };
  };
  const { endpoints } = module;
  return {
    ...module,
    name,
    ...(endpoints && { endpoints: endpoints.map((endpoint) => namedEndpoint(endpoint, name)) }),
    begin: async (context) => step(await module.begin(context)),
    resume: async (context, submission) => step(await module.resume(context, submission)),
    describe() {
      const { identityProviders, ...rest } = module.describe();
      const named = identityProviders.map((each) => ({
        ...each,
        identityProvider: outside(each.identityProvider),
      }));
      return { ...rest, identityProviders: named };
    },
    isConfigured(identityProvider) {
      const its = inside(identityProvider);
      return its === undefined ? false : module.isConfigured(its);
    },
  };
}

function namedEndpoint(endpoint: ModuleEndpoint, name: string): ModuleEndpoint {
  return {
    ...endpoint,
    path: `${instancePath(name)}${endpoint.path}`,
    async answer(request): Promise<ModuleAnswer> {
      const answer = await endpoint.answer(request);
      if (answer.type !== 'logout' || answer.key === undefined) return answer;
      return { ...answer, key: instanceKey(name, answer.key) };
    },
  };
}
