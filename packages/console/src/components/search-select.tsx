import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { searchOf } from './table-search.ts';
import { usePause } from './use-pause.ts';
import { usePopup } from './use-popup.ts';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Beside the label: distinguishes options of the same name. */
  readonly note?: string;
}

interface SearchSelectProps {
  readonly label: string;
  /** The label is for screen readers alone. */
  readonly isBare?: boolean;
  /** What is chosen; `undefined` while nothing is. */
  readonly chosen: SelectOption | undefined;
  /** What fits the search. */
  readonly options: readonly SelectOption[];
  /** Whether there are others that fit. */
  readonly hasMore?: boolean;
  /** Whether they are still those of the search before. */
  readonly isLoading?: boolean;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly onSearch: (text: string) => void;
  readonly onChoose: (option: SelectOption) => void;
}

/** Chooses one of many by searching for it (ARIA Authoring Practices, combobox with a list). */
export function SearchSelect(props: SearchSelectProps) {
  const {
    label,
    isBare = false,
    chosen,
    hasMore = false,
    isLoading = false,
    description,
    placeholder,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | undefined>();
  const [searched, setSearched] = useState('');
  const [active, setActive] = useState(0);
  const isLate = isLoading || (typed ?? '') !== searched;
  const fits = searchOf<SelectOption>(typed ?? '', ({ label, note = '' }) => [label, note]);
  // Until the answer is there, what is known is searched here.
  const options = isLate ? props.options.filter(fits) : props.options;
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
    props.onSearch(text);
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
    props.onChoose(option);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const next = moves[event.key];
    if (next !== undefined) {
      if (isOpen) setActive((next + options.length) % Math.max(1, options.length));
      else open();
    } else if (event.key === 'Enter' && isOpen) choose(options[active]);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        ref={input}
        size={isBare ? 'xs' : 'sm'}
        className="search-select"
        {...(isBare ? { 'aria-label': label } : { label })}
        description={description}
        placeholder={placeholder}
        role="combobox"
        // Escape closes the list, and not the dialog around it.
        data-mantine-stop-propagation={isOpen}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={isOpen && options[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? chosen?.label ?? ''}
        rightSection={<Icon name="down" />}
        rightSectionPointerEvents="none"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          open();
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is */}
      <div
        ref={list}
        popover="manual"
        className="popup popup-list"
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={id} role="listbox" aria-label={label}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              className="popup-item"
              aria-selected={option.value === chosen?.value}
              data-active={index === active}
              onClick={() => choose(option)}
            >
              <bdi>{option.label}</bdi>
              {option.note !== undefined && <span className="quiet"> {option.note}</span>}
            </div>
          ))}
        </div>
        <p className="popup-note" role="status">
          {noteOf(options.length, isLate, hasMore)}
        </p>
      </div>
    </>
  );
}

function noteOf(options: number, isLate: boolean, hasMore: boolean): string | undefined {
  if (options === 0) return isLate ? 'Searching…' : 'Nothing fits';
  return hasMore && !isLate ? 'There are more: type a part of the name.' : undefined;
}
