import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Only its own buttons close it. */
  readonly isFirm?: boolean;
  readonly children: ReactNode;
}

/** A dialog. It is open while it is mounted; afterwards the focus returns to the element that had it. */
export function Dialog({ title, onClose, isWide = false, isFirm = false, children }: DialogProps) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
  return (
    <Modal
      opened
      title={title}
      onClose={onClose}
      returnFocus={false}
      withCloseButton={!isFirm}
      closeOnClickOutside={!isFirm}
      closeOnEscape={!isFirm}
      {...(isWide && { size: 'lg' })}
    >
      {children}
    </Modal>
  );
}
