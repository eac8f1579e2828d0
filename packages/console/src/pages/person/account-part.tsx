import type { Account } from '@watchword/admin-client';
import { useState } from 'react';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Button } from '../../controls/button.tsx';
import { usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { type AccountAction, accountActions, stateText } from '../accounts/account-columns.tsx';
import { AccountDialog } from '../accounts/account-dialog.tsx';
import { type MadeLink, ResetLink } from '../accounts/reset-link.tsx';

/** The local account of the person, and what can be done with it. */
export function AccountPart({ account }: { readonly account: Account }) {
  const { mayWrite } = usePerson();
  const [action, setAction] = useState<AccountAction>();
  const [made, setMade] = useState<MadeLink>();
  const { groups, roles, creationDate, resetLinkExpires } = account;
  return (
    <section className="part">
      <h2>{t('person.account')}</h2>
      <div className="part-frame">
        <Facts
          facts={[
            {
              label: t('account.state'),
              value: <span className={account.disabled ? 'warn-text' : undefined}>{stateText(account)}</span>,
            },
            ...contact(t('account.email'), account.email, account.emailVerified),
            ...text(t('account.groups'), groups.join(', ')),
            ...text(t('account.roles'), roles.join(', ')),
            ...contact(t('account.phoneNumber'), account.phoneNumber, account.phoneNumberVerified),
            ...text(t('account.givenName'), account.givenName),
            ...text(t('account.familyName'), account.familyName),
            ...text(t('account.nickname'), account.nickname),
            ...text(t('account.picture'), account.picture),
            ...text(t('account.locale'), account.locale),
            ...text(t('account.zoneinfo'), account.zoneinfo),
            ...text(t('account.address'), addressText(account.address)),
            { label: t('person.created'), value: <Timestamp time={creationDate} /> },
            ...(resetLinkExpires === null
              ? []
              : [{ label: t('person.resetLinkExpires'), value: <Timestamp time={resetLinkExpires} /> }]),
          ]}
        />
        {mayWrite && (
          <div className="page-actions">
            {accountActions(account, setAction).map(({ label, onClick, isDangerous }) => (
              <Button key={label} variant="default" {...(isDangerous && { color: 'red' })} onClick={onClick}>
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {action !== undefined && (
        <AccountDialog action={action} onReset={setMade} onClose={() => setAction(undefined)} />
      )}
      {made !== undefined && <ResetLink made={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

function text(label: string, value: string): Fact[] {
  return value === '' ? [] : [{ label, value: <bdi>{value}</bdi> }];
}

/** What is not verified says so. */
function contact(label: string, value: string, isVerified: boolean): Fact[] {
  if (value === '') return [];
  const state = isVerified ? undefined : <span className="warn-text"> ({t('account.unverified')})</span>;
  return [
    {
      label,
      value: (
        <>
          <bdi>{value}</bdi>
          {state}
        </>
      ),
    },
  ];
}

function addressText({
  formatted,
  streetAddress,
  postalCode,
  locality,
  region,
  country,
}: Account['address']) {
  return formatted ?? [streetAddress, postalCode, locality, region, country].filter(Boolean).join(', ');
}
