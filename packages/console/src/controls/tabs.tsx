import { type ReactNode, type Ref, useId } from 'react';
import { onKeys } from './keys.ts';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly key: string; readonly label: string }[];
  /** The key of the open one. */
  readonly open: string;
  readonly onOpen: (key: string) => void;
  readonly look?: 'line' | 'pills';
  readonly list?: Ref<HTMLDivElement>;
  /** The content of the open one. */
  readonly children: ReactNode;
}

/** Parts of a page, of which one is open (ARIA Authoring Practices, tabs with automatic activation). */
export function Tabs({ label, tabs, open, onOpen, look = 'line', list, children }: TabsProps) {
  const id = useId();
  const onKeyDown = onKeys<HTMLElement>((event) => {
    const at = tabs.findIndex(({ key }) => key === open);
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const next = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    onOpen(tab.key);
    document.getElementById(`${id}-${tab.key}`)?.focus();
  });
  return (
    <div className="tabs" data-look={look}>
      <div ref={list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === open}
            aria-controls={tab.key === open ? `${id}-panel` : undefined}
            tabIndex={tab.key === open ? 0 : -1}
            onClick={() => onOpen(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`} className="tab-panel">
        {children}
      </div>
    </div>
  );
}
