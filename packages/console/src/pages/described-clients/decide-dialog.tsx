import type { ClientHost } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

/** What is decided about hosts, while it is typed. */
export type TypedHost = Omit<ClientHost, 'modificationDate'>;

interface DecideDialogProps {
  readonly host: TypedHost;
  readonly onClose: () => void;
}

/** Allows or blocks the clients of hosts, and says before what ends. */
export function DecideDialog({ host, onClose }: DecideDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [typed, setTyped] = useState(host);
  const { pattern, effect, note } = typed;
  const set = (changes: Partial<TypedHost>) => setTyped({ ...typed, ...changes });

  async function decide() {
    const decided = await admin.clientHosts.replace(pattern, { effect, note });
    notify(t(`hosts.done.${effect}`, { pattern: decided.pattern, count: decided.ended }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('hosts.add')}
      action={t(`hosts.${effect}`)}
      isHarmless={effect === 'allow'}
      onConfirm={decide}
      onClose={onClose}
    >
      <TextInput
        label={t('hosts.host')}
        description={t('hosts.hostHint')}
        autoComplete="off"
        spellCheck="false"
        autoCapitalize="off"
        withAsterisk
        required
        // An entry of another pattern is another entry.
        disabled={'modificationDate' in host}
        value={pattern}
        onChange={({ currentTarget }) => set({ pattern: currentTarget.value.trim() })}
      />
      <SegmentedControl
        aria-label={t('keys.state')}
        value={effect}
        data={[
          { value: 'block', label: t('hosts.block') },
          { value: 'allow', label: t('hosts.allow') },
        ]}
        onChange={(chosen) => set({ effect: chosen === 'allow' ? chosen : 'block' })}
      />
      <p>{t(`hosts.effect.${effect}`)}</p>
      <TextInput
        label={t('hosts.note')}
        autoComplete="off"
        maxLength={1000}
        value={note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
      />
    </ConfirmDialog>
  );
}
