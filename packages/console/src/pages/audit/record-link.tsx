import type { AuditEvent } from '@watchword/admin-client';
import { ClientLink } from '../../components/client-link.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { Link } from '../../router/link.tsx';
import { resourceServerRoute, routes } from '../../router/routes.ts';

/** The name of the record of an event. It leads to the page of the record, if there is one. */
export function RecordLink({ event }: { readonly event: AuditEvent }) {
  const { action, recordType, recordId, recordName, owner, ownerAuthority } = event;
  const name = <code>{recordName}</code>;
  switch (recordType) {
    case 'resourceServer':
      return action === 'delete' ? name : <Link to={resourceServerRoute(Number(recordId))}>{name}</Link>;
    case 'client':
      return action === 'delete' ? name : <ClientLink clientId={recordName} />;
    case 'accessToken':
    case 'grant':
      return <ClientLink clientId={recordName} />;
    case 'account':
    case 'loginSession':
    case 'resourceOwner':
      return <PersonLink owner={{ resourceOwnerId: owner, resourceOwnerAuthority: ownerAuthority }} />;
    case 'identityProvider':
      return <Link to={routes.identityProviders}>{name}</Link>;
    default:
      return name;
  }
}
