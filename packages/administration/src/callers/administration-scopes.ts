import type { ScopeDescription } from '@watchword/protocol';

/** The scopes for reading and for changing records. */
export const administrationScopes = { read: 'read', write: 'write' } as const;

/** What they mean for users, in the languages of the pages. */
export const administrationScopeDescriptions: readonly ScopeDescription[] = [
  {
    name: administrationScopes.read,
    description: 'See your APIs, applications and access tokens',
    descriptions: {
      de: 'Ihre APIs, Anwendungen und Zugriffstokens ansehen',
      nl: 'Je API’s, applicaties en toegangstokens bekijken',
    },
  },
  {
    name: administrationScopes.write,
    description: 'Register, change and delete APIs and applications',
    descriptions: {
      de: 'APIs und Anwendungen registrieren, ändern und löschen',
      nl: 'API’s en applicaties registreren, wijzigen en verwijderen',
    },
  },
];
