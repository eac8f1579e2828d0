import type { ResourceOwner } from '@watchword/protocol';
import type { Named } from './hot/columns.ts';
import type { ownerColumns } from './hot/tables.ts';

/** The columns of a resource owner, in grants and login sessions. */
export type OwnerRow = Named<typeof ownerColumns>;

export function ownerRow({ identityProvider, principal, subject }: ResourceOwner): OwnerRow {
  return {
    identity_provider: identityProvider,
    principal_name: principal.name,
    principal: JSON.stringify(principal),
    subject,
  };
}

export function toResourceOwner({
  identity_provider,
  principal,
  subject,
}: Omit<OwnerRow, 'principal_name'>): ResourceOwner {
  return { identityProvider: identity_provider, subject, principal: JSON.parse(principal) };
}
