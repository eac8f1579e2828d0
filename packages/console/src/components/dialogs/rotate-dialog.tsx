import { useState } from 'react';
import { Select } from '../../controls/inputs.tsx';
import { durationText } from '../../format/time.ts';
import { t } from '../../texts/texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface RotateDialogProps {
  /** The kind of the record that has the secret. */
  readonly of: 'client' | 'resourceServer';
  readonly onRotate: (overlap: number) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Seconds. */
const overlaps = [0, 600, 3600, 86_400, 604_800];

/** Asks how long the old secret stays valid together with the new one. */
export function RotateDialog({ of, onRotate, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState('3600');
  return (
    <ConfirmDialog
      title={t('rotate.title')}
      action={t('rotate.action')}
      onConfirm={() => onRotate(Number(overlap))}
      onClose={onClose}
    >
      <p>{t(`rotate.${of}`)}</p>
      <Select
        label={t('rotate.overlap')}
        data={overlaps.map((seconds) => ({
          label: seconds === 0 ? t('rotate.atOnce') : durationText(seconds),
          value: String(seconds),
        }))}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
