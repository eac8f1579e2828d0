import type { ResourceOwner } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { personRoute } from '../../router/routes.ts';
import { isOfPeople } from '../../rules/identity-provider.ts';
import { t } from '../../texts/texts.ts';

interface PersonLinkProps {
  readonly owner: ResourceOwner;
  /** Where the link leads for a user who is not an administrator; `undefined`: nowhere. */
  readonly otherwise?: string;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** The name of a person. For administrators it is a link to the page of the person. */
export function PersonLink({ owner, otherwise, className, children }: PersonLinkProps) {
  const { isAdministrator } = usePerson();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;
  const name = <bdi>{children ?? resourceOwnerId}</bdi>;
  const to = isAdministrator && isOfPeople(resourceOwnerAuthority) ? personRoute(owner) : otherwise;
  if (to === undefined) return name;
  return (
    <Link
      to={to}
      className={className}
      title={t('person.goTo', { name: resourceOwnerId, identityProvider: resourceOwnerAuthority })}
    >
      {name}
    </Link>
  );
}
