import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { t } from '../../texts/texts.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Only its own buttons close it. */
  readonly isFirm?: boolean;
  /** Nothing of the page behind it can be read. */
  readonly covers?: boolean;
  readonly children: ReactNode;
}

/** A dialog. It is open while it is mounted; afterwards the focus returns to the element that had it. */
export function Dialog(props: DialogProps) {
  const { title, onClose, isWide = false, isFirm = false, covers = false, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const { current: shown } = dialog;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [before]);
  const close = () => {
    if (!isFirm) onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="dialog"
      data-wide={isWide}
      data-covers={covers}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // A browser can close a dialog without "cancel", when the user asks for it twice. It tells also, and later, of the one that was closed
      // because another dialog took its place.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        if (isFirm) currentTarget.showModal();
        else onClose();
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        // Else the press would move the focus to what is behind the dialog.
        event.preventDefault();
        close();
      }}
    >
      <div className="dialog-frame">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          {!isFirm && (
            <IconButton aria-label={t('action.close')} onClick={onClose}>
              <Icon name="close" />
            </IconButton>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
