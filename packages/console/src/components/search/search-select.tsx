import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';
import { Icon, type IconName } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { t } from '../../texts/texts.ts';
import { credentialIn, type FoundCredential } from './credential.ts';
import { type SelectOption, useCombobox } from './use-combobox.ts';

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
  /** Whether the options still belong to the previous search. */
  readonly isLoading?: boolean;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  /** Stands in the list until something is typed, where nothing is offered before. */
  readonly hint?: string;
  /** Above the options. */
  readonly heading?: string;
  /** The key that opens it, wherever the user is not typing. */
  readonly shortcut?: string;
  /** Makes the field visible, before the key opens it. */
  readonly onShortcut?: () => void;
  readonly icon?: IconName;
  /** Whether the list is open from the beginning: nothing else is to be done here. */
  readonly opensAtOnce?: boolean;
  readonly onSearch: (text: string) => void;
  /** Gets a credential that was typed or pasted. Without it, a credential is left out of the search. */
  readonly onCredential?: (found: FoundCredential) => void;
  readonly onChoose: (option: SelectOption) => void;
}

/** Chooses one of many by searching for it (ARIA Authoring Practices, combobox with a list). */
export function SearchSelect(props: SearchSelectProps) {
  const { label, isBare = false, chosen, description, placeholder, icon = 'down' } = props;
  const { isLoading = false, opensAtOnce = false, onChoose, onCredential } = props;
  const onSearch = (text: string) => {
    const credential = credentialIn(text);
    props.onSearch(credential === undefined ? text.trim() : '');
    if (credential !== undefined) onCredential?.(credential);
  };
  const combobox = useCombobox({
    options: props.options,
    isLoading,
    onSearch,
    onChoose,
    leavesByEscape: props.shortcut !== undefined,
  });
  const { id, input, isOpen, typed, active, options, open, close, type, onKeyDown } = combobox;
  // It is visible in the next frame.
  const openSoon = () =>
    requestAnimationFrame(() => {
      input.current?.focus();
      open();
    });
  useShortcut(props.shortcut, () => {
    props.onShortcut?.();
    openSoon();
  });
  const begin = useEffectEvent(openSoon);
  useEffect(() => {
    if (opensAtOnce) begin();
  }, [opensAtOnce]);
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
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={isOpen && options[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck="false"
        value={typed ?? chosen?.label ?? ''}
        aria-keyshortcuts={props.shortcut}
        rightSection={
          props.shortcut === undefined ? (
            <Icon name={icon} />
          ) : (
            <span className="key" aria-hidden="true">
              {props.shortcut}
            </span>
          )
        }
        leftSection={props.shortcut === undefined ? undefined : <Icon name={icon} />}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <OptionList {...props} {...combobox} />
    </>
  );
}

/** Calls back when the key is pressed where nothing is typed and no dialog is open. @param key as in `KeyboardEvent.key`; `undefined`: none */
function useShortcut(key: string | undefined, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    if (key === undefined) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const isTyping =
        event.target instanceof Element && event.target.closest('input,textarea,select') !== null;
      if (isTyping || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      press();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key]);
}

interface OptionListProps {
  readonly id: string;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly chosen: SelectOption | undefined;
  readonly options: readonly SelectOption[];
  /** Index of the option that Enter chooses. */
  readonly active: number;
  readonly isLate: boolean;
  readonly typed: string | undefined;
  readonly hint?: string;
  readonly heading?: string;
  readonly hasMore?: boolean;
  readonly choose: (option: SelectOption) => void;
}

function OptionList(props: OptionListProps) {
  const { id, list, label, chosen, options, active, isLate, hasMore = false, choose, typed, hint } = props;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is
    <div
      ref={list}
      popover="manual"
      className="popup popup-list"
      onMouseDown={(event) => event.preventDefault()}
    >
      {props.heading !== undefined && !typed && <p className="popup-note">{props.heading}</p>}
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
        {hint === undefined || typed ? noteOf(options.length, isLate, hasMore) : hint}
      </p>
    </div>
  );
}

function noteOf(options: number, isLate: boolean, hasMore: boolean): string | undefined {
  if (options === 0) return t(isLate ? 'select.searching' : 'select.nothing');
  return hasMore && !isLate ? t('select.more') : undefined;
}
