import type { Account, OwnerRevocation } from '@watchword/admin-client';
import { t } from '../../texts/texts.ts';

export interface OfAccount {
  readonly account: Account;
  readonly onClose: () => void;
}

interface EndsProps {
  readonly isDeleted?: boolean;
  readonly isReset?: boolean;
}

/** What ends with a change of an account, before it is made. */
export function Ends({ isDeleted = false, isReset = false }: EndsProps) {
  return (
    <ul className="consequences">
      {isReset && <li>{t('account.ends.password')}</li>}
      <li>{t('account.ends.logins')}</li>
      <li>{t('account.ends.grants')}</li>
      {isDeleted && <li>{t('account.ends.consents')}</li>}
    </ul>
  );
}

/** What has ended, as a sentence. */
export function endedText({ loginSessions, grants }: OwnerRevocation): string {
  return t('account.ended', { logins: loginSessions, grants });
}
