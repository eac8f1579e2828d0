import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface RotateDialogProps {
  /** Who has the secret: "the API", "the client". */
  readonly holder: string;
  readonly onRotate: (overlap: number) => Promise<unknown>;
  readonly onClose: () => void;
}

const overlaps = [
  { label: 'no time: it is immediately invalid', value: '0' },
  { label: '10 minutes', value: '600' },
  { label: '1 hour', value: '3600' },
  { label: '1 day', value: '86400' },
  { label: '7 days', value: '604800' },
];

/** Asks how long the old secret stays valid together with the new one. */
export function RotateDialog({ holder, onRotate, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState('3600');
  return (
    <ConfirmDialog
      title="Give it a new secret"
      action="Make a new secret"
      onConfirm={() => onRotate(Number(overlap))}
      onClose={onClose}
    >
      <p>
        The new secret is shown once. While the old secret is accepted too, {holder} can get the new one
        without an interruption. If the old secret has leaked, accept it no longer.
      </p>
      <NativeSelect
        size="sm"
        label="Accept the old secret for"
        data={overlaps}
        value={overlap}
        onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
