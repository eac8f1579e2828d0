import type { AccountAction } from './account-columns.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { DisableDialog, EnableDialog } from './disable-dialog.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import type { MadeLink } from './reset-link.tsx';

interface AccountDialogProps {
  readonly action: AccountAction;
  readonly onReset: (made: MadeLink) => void;
  readonly onClose: () => void;
}

/** Does with an account what the user chose. */
export function AccountDialog({ action: { type, account }, onReset, onClose }: AccountDialogProps) {
  switch (type) {
    case 'edit':
      return <EditAccountDialog account={account} onClose={onClose} />;
    case 'disable':
      return <DisableDialog account={account} onClose={onClose} />;
    case 'enable':
      return <EnableDialog account={account} onClose={onClose} />;
    case 'reset':
      return <ResetDialog account={account} onReset={onReset} onClose={onClose} />;
    case 'delete':
      return <DeleteAccountDialog account={account} onClose={onClose} />;
  }
}
