import type { Account } from '@watchword/admin-client';
import type { BulkAction } from '../../components/bulk/bulk-bar.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { Ends } from './ended.tsx';

/** What can be done with several accounts. */
export function useAccountActions(): readonly BulkAction<Account>[] {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  if (!mayWrite) return [];
  return [
    {
      key: 'enable',
      label: t('accounts.enable'),
      title: (accounts) => t('accounts.bulk.enableTitle', { accounts }),
      effect: <p>{t('accounts.bulk.enableEffect')}</p>,
      action: t('account.enable.action'),
      isHarmless: true,
      run: ({ id }) => admin.accounts.update(id, { disabled: false }),
    },
    {
      key: 'disable',
      label: t('accounts.disable'),
      title: (accounts) => t('accounts.bulk.disableTitle', { accounts }),
      effect: (
        <>
          <p>{t('account.disable.lead')}</p>
          <Ends />
        </>
      ),
      action: t('account.disable.action'),
      run: ({ id }) => admin.accounts.update(id, { disabled: true }),
    },
    {
      key: 'delete',
      label: t('accounts.delete'),
      title: (accounts) => t('accounts.bulk.deleteTitle', { accounts }),
      effect: (
        <>
          <p>{t('account.delete.lead')}</p>
          <Ends isDeleted />
        </>
      ),
      action: t('action.delete'),
      isFinal: true,
      run: ({ id }) => admin.accounts.delete(id),
    },
  ];
}
