import { usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

interface OwnerProps {
  readonly owner: string;
  readonly ownerAuthority: string;
}

/** The record owner. The same name at two identity providers is two users, so the identity provider is shown too. */
export function Owner({ owner, ownerAuthority }: OwnerProps) {
  const { principal } = usePerson();
  if (ownerAuthority === 'system') return <span className="quiet">{t('owner.system')}</span>;
  const from = fromText(ownerAuthority);
  return (
    <span className="owner" title={`${owner} (${from})`}>
      <bdi>{owner}</bdi>
      {owner === principal.name ? (
        <span className="quiet"> – {t('owner.you')}</span>
      ) : (
        <span className="quiet"> ({from})</span>
      )}
    </span>
  );
}

function fromText(ownerAuthority: string): string {
  if (ownerAuthority === '') return t('owner.cli');
  return /^client:\d+$/.test(ownerAuthority) ? t('owner.client') : ownerAuthority;
}

/** The server depends on the record: it cannot be deleted. */
export function isSystemRecord({ ownerAuthority }: Pick<OwnerProps, 'ownerAuthority'>): boolean {
  return ownerAuthority === 'system';
}
