import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton, PlainButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { onKeys } from '../../controls/keys.ts';
import { usePopup } from '../use-popup.ts';

export interface MenuAction {
  readonly label: string;
  readonly onClick: () => void;
  /** It takes something away. */
  readonly isDangerous?: boolean;
}

interface RowMenuProps {
  /** What the actions are for, for screen readers. */
  readonly label: string;
  readonly actions: readonly MenuAction[];
}

/** What can be done with a row, behind a button (ARIA Authoring Practices, menu button). */
export function RowMenu({ label, actions }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        size="sm"
        className="row-menu"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeys((event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(true);
        })}
      >
        <Icon name="more" />
      </IconButton>
      {isOpen && <Items label={label} actions={actions} button={button} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ItemsProps extends RowMenuProps {
  readonly button: React.RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

function Items({ label, actions, button, onClose }: ItemsProps) {
  const menu = useRef<HTMLDivElement>(null);
  usePopup(true, button, menu, 'end');
  useLayoutEffect(() => itemsOf(menu.current)[0]?.focus(), []);
  const close = () => {
    button.current?.focus();
    onClose();
  };
  const onKeyDown = onKeys((event) => {
    const items = itemsOf(menu.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  return (
    <div
      ref={menu}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="popup"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!menu.current?.contains(relatedTarget) && relatedTarget !== button.current) onClose();
      }}
    >
      {actions.map(({ label, onClick, isDangerous = false }) => (
        <PlainButton
          key={label}
          role="menuitem"
          tabIndex={-1}
          className="popup-item"
          data-dangerous={isDangerous}
          onClick={() => {
            close();
            onClick();
          }}
        >
          {label}
        </PlainButton>
      ))}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}
