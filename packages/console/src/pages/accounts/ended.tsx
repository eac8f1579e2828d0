import type { Account, OwnerRevocation } from '@watchword/admin-client';
import { count } from '../../format/count.ts';

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
      {isReset && <li>the current password is removed, and an earlier link ends</li>}
      <li>all logins of this user end</li>
      <li>all grants are revoked, with all their tokens</li>
      {isDeleted && <li>remembered consents are deleted</li>}
    </ul>
  );
}

/** What has ended, as a sentence. */
export function endedText({ loginSessions, grants }: OwnerRevocation): string {
  return `${count(loginSessions, 'login')} and ${count(grants, 'grant')} ended`;
}
