import { useEffect, useId, useRef, useState } from 'react';
import { onKeys } from '../../controls/keys.ts';
import { searchOf } from '../tables/rows.ts';
import { usePopup } from '../use-popup.ts';
import { usePause } from './use-pause.ts';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Shown next to the label, to distinguish options of the same name. */
  readonly note?: string;
}

export interface ComboboxOptions {
  /** Options that match the search. */
  readonly options: readonly SelectOption[];
  /** Whether they still belong to the previous search. */
  readonly isLoading: boolean;
  readonly onSearch: (text: string) => void;
  readonly onChoose: (option: SelectOption) => void;
  /** Escape leaves the field once its list is closed. */
  readonly leavesByEscape?: boolean;
}

/** State and keys of a combobox with a list (ARIA Authoring Practices). */
export function useCombobox(props: ComboboxOptions) {
  const { options: found, isLoading, onSearch, onChoose, leavesByEscape = false } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | undefined>();
  const [searched, setSearched] = useState('');
  const [active, setActive] = useState(0);
  const isLate = isLoading || (typed ?? '') !== searched;
  const fits = searchOf<SelectOption>(typed ?? '', ({ label, note = '' }) => [label, note]);
  // Until the answer comes, the options of the previous search are filtered here.
  const options = isLate ? found.filter(fits) : found;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  usePopup(isOpen, input, list);
  usePause(typed, search);
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, id, active]);

  function search(text: string) {
    setSearched(text);
    onSearch(text);
  }
  const open = () => {
    setOpen(true);
    setActive(0);
  };
  const close = () => {
    setOpen(false);
    if (searched !== '') search('');
    setTyped(undefined);
  };
  const choose = (option: SelectOption | undefined) => {
    if (option === undefined) return;
    onChoose(option);
    close();
  };
  const type = (text: string) => {
    setTyped(text);
    open();
  };
  const onKeyDown = onKeys((event) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const next = moves[event.key];
    if (next !== undefined) {
      if (isOpen) setActive((next + options.length) % Math.max(1, options.length));
      else open();
    } else if (event.key === 'Enter' && isOpen) choose(options[active]);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Escape' && leavesByEscape) input.current?.blur();
    else return;
    event.preventDefault();
  });

  return { id, input, list, isOpen, isLate, typed, active, options, open, close, choose, type, onKeyDown };
}
