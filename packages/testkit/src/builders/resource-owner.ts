import {
  type Identity,
  type Principal,
  type ResourceOwner,
  type SubjectKeyStore,
  subjectOf,
} from '@watchword/protocol';

export function buildPrincipal(overrides: Partial<Principal> = {}): Principal {
  return { name: 'emma', roles: [], groups: [], adminPrincipal: false, attributes: {}, ...overrides };
}

/** A person with a local account. */
export function buildResourceOwner(name = 'emma', identityProvider = 'password'): ResourceOwner {
  return {
    identityProvider,
    subject: buildSubject({ name, identityProvider }),
    principal: buildPrincipal({ name }),
  };
}

/** The subject of the resource owner of that name, one for each name at each identity provider. */
export function buildSubject({ name, identityProvider }: Identity): string {
  return `subject of ${JSON.stringify([identityProvider, name])}`;
}

/** The subject that a server with this store gives to a person without a stable id. */
export async function subjectIn(
  { subjectKey }: { readonly subjectKey: SubjectKeyStore },
  identity: Identity,
): Promise<string> {
  return subjectOf(await subjectKey.read(), { ...identity, stableId: undefined });
}
