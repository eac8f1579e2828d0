import type { CheckedAuthenticationModule } from './contract/checked-authentication.ts';
import { instanceKey } from './named-instance.ts';

/** An authenticator as it was configured. */
export interface ConfiguredAuthenticator {
  readonly module: CheckedAuthenticationModule;
  /** Whether the operator gave the instance its name. */
  readonly isNamed: boolean;
}

/** Whether an identity provider belongs to the authenticator, whatever another one says. */
export function belongsTo({ module, isNamed }: ConfiguredAuthenticator, identityProvider: string): boolean {
  const { name } = module;
  return identityProvider === name || (isNamed && identityProvider.startsWith(instanceKey(name, '')));
}

/** What keeps an authenticator of the list from standing beside those before it; `undefined` when nothing does. */
export function authenticatorConflict(
  authenticator: ConfiguredAuthenticator,
  before: readonly ConfiguredAuthenticator[],
): string | undefined {
  const { module, isNamed } = authenticator;
  const advice = 'Give it a name of its own: as';
  if (before.some((other) => other.module.name === module.name)) {
    return `is the second authenticator with the name "${module.name}". ${advice}`;
  }
  const taken = new Set(before.flatMap((other) => addressesOf(other.module)));
  const address = addressesOf(module).find((own) => taken.has(own));
  if (address !== undefined)
    return `answers ${address}, which an authenticator before it does too. ${advice}`;
  const other = before.find((each) => !each.isNamed && each.module.namesIdentityProviders);
  if (!isNamed && module.namesIdentityProviders && other !== undefined) {
    return `names identity providers, as "${other.module.name}" before it does, so that users of both could be mistaken for one another. ${advice}`;
  }
  const key = conflictingText(
    module,
    before.map((each) => each.module),
  );
  if (key === undefined) return undefined;
  return `has another text for the key ${key} than an authenticator before it. A module must begin its keys with a name of its own`;
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
