import { usePerson } from '../environment.ts';

interface OwnerProps {
  readonly owner: string;
  readonly ownerAuthority: string;
}

/** The record owner. The same name at two identity providers is two users, so the identity provider is shown too. */
export function Owner({ owner, ownerAuthority }: OwnerProps) {
  const { principal } = usePerson();
  if (ownerAuthority === 'system') return <span className="quiet">the server itself</span>;
  const from = ownerAuthority === '' ? 'command line' : ownerAuthority.replace(/^client:\d+$/, 'a client');
  return (
    <span className="owner" title={`${owner} (${from})`}>
      <bdi>{owner}</bdi>
      {owner === principal.name ? (
        <span className="quiet"> – you</span>
      ) : (
        <span className="quiet"> ({from})</span>
      )}
    </span>
  );
}

/** The server depends on the record: it cannot be deleted. */
export function isSystemRecord({ ownerAuthority }: Pick<OwnerProps, 'ownerAuthority'>): boolean {
  return ownerAuthority === 'system';
}
