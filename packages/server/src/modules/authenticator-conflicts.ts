import type { CheckedAuthenticationModule } from './contract/checked-authentication.ts';
import { instanceKey } from './named-instance.ts';

/** A configured authenticator. */
export interface ConfiguredAuthenticator {
  readonly module: CheckedAuthenticationModule;
  /** Whether the operator gave the instance its name. */
  readonly isNamed: boolean;
}

/** Whether an identity provider belongs to the authenticator in any case, even if another authenticator names it. */
export function belongsTo({ module, isNamed }: ConfiguredAuthenticator, identityProvider: string): boolean {
  const { name } = module;
  return identityProvider === name || (isNamed && identityProvider.startsWith(instanceKey(name, '')));
}

/** The conflict of an authenticator with those before it in the list; `undefined` if there is none. */
export function authenticatorConflict(
  authenticator: ConfiguredAuthenticator,
  before: readonly ConfiguredAuthenticator[],
): string | undefined {
  const { module, isNamed } = authenticator;
  const advice = 'Give it another name with the option "as"';
  if (before.some((other) => other.module.name === module.name)) {
    return `is the second authenticator with the name "${module.name}". ${advice}`;
  }
  const taken = new Set(before.flatMap((other) => addressesOf(other.module)));
  const address = addressesOf(module).find((own) => taken.has(own));
  if (address !== undefined)
    return `answers ${address}, as another authenticator before it in the list does. ${advice}`;
  const other = before.find((each) => !each.isNamed && each.module.namesIdentityProviders);
  if (!isNamed && module.namesIdentityProviders && other !== undefined) {
    return `names identity providers, as "${other.module.name}" before it in the list does, so the users of one could be confused with the users of the other. ${advice}`;
  }
  const key = conflictingText(
    module,
    before.map((each) => each.module),
  );
  if (key === undefined) return undefined;
  return `has another text for the key ${key} than an authenticator before it in the list. The keys of a module must begin with the name of the module`;
}

function addressesOf({ endpoints = [] }: CheckedAuthenticationModule): string[] {
  return endpoints.map(({ method, path }) => `${method} ${path}`);
}

function conflictingText(
  { texts = {} }: CheckedAuthenticationModule,
  others: readonly CheckedAuthenticationModule[],
): string | undefined {
  return Object.entries(texts)
    .flatMap(([language, ofIt]) => Object.entries(ofIt).map(([key, text]) => ({ language, key, text })))
    .find(({ language, key, text }) =>
      others.some((other) => (other.texts?.[language]?.[key] ?? text) !== text),
    )?.key;
}
