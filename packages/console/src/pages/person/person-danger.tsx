import type { Account } from '@watchword/admin-client';
import { useState } from 'react';
import { DangerZone } from '../../components/danger-zone.tsx';
import { t } from '../../texts/texts.ts';
import type { AccountAction } from '../accounts/account-columns.tsx';
import { AccountDialog } from '../accounts/account-dialog.tsx';
import { type MadeLink, ResetLink } from '../accounts/reset-link.tsx';

interface PersonDangerProps {
  /** The local account; none of a person from an identity provider. */
  readonly account: Account | null | undefined;
  readonly onEndAll: () => void;
  /** Absent for a person without factors. */
  readonly onResetFactors: (() => void) | undefined;
}

/** What takes something away from the person, one by one at the end of the page. */
export function PersonDanger({ account, onEndAll, onResetFactors }: PersonDangerProps) {
  const [action, setAction] = useState<AccountAction>();
  const [made, setMade] = useState<MadeLink>();
  const ofAccount = (found: Account) => {
    const types = found.disabled ? (['delete'] as const) : (['reset', 'disable', 'delete'] as const);
    return types.map((type) => ({
      title: t(`person.danger.${type}`),
      lead: t(`person.danger.${type}Lead`),
      action: t(`accounts.${type}`),
      onClick: () => setAction({ type, account: found }),
    }));
  };
  return (
    <>
      <DangerZone
        actions={[
          {
            title: t('person.danger.end'),
            lead: t('person.danger.endLead'),
            action: t('person.end.action'),
            onClick: onEndAll,
          },
          ...(onResetFactors === undefined
            ? []
            : [
                {
                  title: t('factors.reset'),
                  lead: t('person.danger.factorsLead'),
                  action: t('factors.reset'),
                  onClick: onResetFactors,
                },
              ]),
          ...(account == null ? [] : ofAccount(account)),
        ]}
      />
      {action !== undefined && (
        <AccountDialog action={action} onReset={setMade} onClose={() => setAction(undefined)} />
      )}
      {made !== undefined && <ResetLink made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
