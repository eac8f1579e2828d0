import type { ScopeDescription } from '../model/scope-description.ts';

/** The scopes for reading and for changing records. */
export const administrationScopes = { read: 'read', write: 'write' } as const;

/** What they mean for users, in the languages of the pages. */
export const administrationScopeDescriptions: readonly ScopeDescription[] = [
  {
    name: administrationScopes.read,
    description: 'See your APIs, applications and access tokens',
    descriptions: {
      de: 'Ihre APIs, Anwendungen und Zugriffstokens ansehen',
      nl: 'Uw API’s, applicaties en toegangstokens bekijken',
    },
  },
  {
    name: administrationScopes.write,
    description: 'Register, change and delete them',
    descriptions: {
      de: 'Sie registrieren, ändern und löschen',
      nl: 'Ze registreren, wijzigen en verwijderen',
    },
  },
];
