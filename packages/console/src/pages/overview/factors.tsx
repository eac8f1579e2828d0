import { useQuery } from '@tanstack/react-query';
import { Bars } from '../../charts/bars.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Card } from './card.tsx';

/** Which factors local accounts have, and whether an administrator has none. For administrators. */
export function Factors() {
  const { admin, hasLocalAccounts } = useEnvironment();
  const { data } = useQuery({
    queryKey: ['factors', 'statistics'],
    queryFn: ({ signal }) => admin.factors.statistics({ signal }),
    enabled: hasLocalAccounts,
  });
  if (data === undefined) return undefined;
  const { accounts, administrators, others } = data;
  const bars = [
    { key: 'passkey', label: t('factors.kind.passkey'), value: accounts.passkey },
    { key: 'totp', label: t('factors.kind.totp'), value: accounts.totp },
    { key: 'recoveryCodes', label: t('overview.recoveryCodes'), value: accounts.recoveryCodes },
    { key: 'none', label: t('overview.noFactor'), value: accounts.none },
  ];
  return (
    <Card title={t('overview.factors')}>
      <Bars label={t('overview.factors')} bars={bars} color={1} />
      {administrators.none > 0 && (
        <p className="warn-text card-note">
          {t('overview.weakAdministrators', { count: administrators.none })}
        </p>
      )}
      {others.people > 0 && (
        <p className="quiet card-note">{t('overview.factorsElsewhere', { count: others.people })}</p>
      )}
    </Card>
  );
}
