import type { AuthenticationEvent, Principal, ResourceOwner } from '@watchword/protocol';
import type { Named } from '../hot/columns.ts';
import type { ownerColumns } from '../hot/tables.ts';

/** The columns of a resource owner, in grants and login sessions. */
export type OwnerRow = Named<typeof ownerColumns>;

export function ownerRow({ identityProvider, principal, subject }: ResourceOwner): OwnerRow {
  return {
    identity_provider: identityProvider,
    principal_name: principal.name,
    principal: principalText(principal),
    subject,
  };
}

export function toResourceOwner({
  identity_provider,
  principal,
  subject,
}: Omit<OwnerRow, 'principal_name'>): ResourceOwner {
  return { identityProvider: identity_provider, subject, principal: toPrincipal(principal) };
}

// Many principals have these same objects: a module that adds a group to one of them must not add it to all.
const none: readonly string[] = Object.freeze([]);
const noAttributes = Object.freeze({});

// Each login and each grant stores principal and authentication event, so their text leaves out what a reader knows: the
// members of a principal that are empty, and the members of an event that are other columns of the row.

function principalText({ name, roles, groups, adminPrincipal, attributes }: Principal): string {
  return JSON.stringify({
    name,
    roles: roles.length === 0 ? undefined : roles,
    groups: groups.length === 0 ? undefined : groups,
    adminPrincipal: adminPrincipal || undefined,
    attributes: isEmpty(attributes) ? undefined : attributes,
  });
}

/** @param text JSON */
export function toPrincipal(text: string): Principal {
  const {
    name,
    roles = none,
    groups = none,
    adminPrincipal = false,
    attributes = noAttributes,
  } = JSON.parse(text);
  return { name, roles, groups, adminPrincipal, attributes };
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** The members of an authentication event that can be in other columns. */
export type KnownOfEvent = Partial<Pick<AuthenticationEvent, 'sessionId' | 'identityProvider'>>;

/** @param known what the other columns of the row say */
export function authenticationText(event: AuthenticationEvent, known: KnownOfEvent): string {
  const { sessionId, identityProvider } = event;
  return JSON.stringify({
    ...event,
    sessionId: sessionId === known.sessionId ? undefined : sessionId,
    identityProvider: identityProvider === known.identityProvider ? undefined : identityProvider,
  });
}

/** @param text JSON */
export function toAuthentication(text: string, known: KnownOfEvent): AuthenticationEvent {
  return { ...known, ...JSON.parse(text) };
}
