import { useState } from 'react';
import { IconButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { onKeys } from '../../controls/keys.ts';
import { t } from '../../texts/texts.ts';
import { credentialIn } from './credential.ts';
import { useCredentialSearch } from './credential-search.ts';
import { usePause } from './use-pause.ts';

interface SearchBoxProps {
  readonly label: string;
  /** What is searched for. */
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/**
 * Searches when the user stops typing: each search can be a request. White space at an end is no part of what is searched for, but
 * stays in the box, because the next word can follow. A credential is shown, and gets into no address.
 */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const [searched, setSearched] = useState('');
  const showCredential = useCredentialSearch();
  const search = (text: string) => {
    setTyped(undefined);
    const credential = credentialIn(text);
    if (credential !== undefined) return showCredential(credential);
    setSearched(text);
    onSearch(text.trim());
  };
  usePause(typed, search);
  const text = typed ?? (searched.trim() === value ? searched : value);
  return (
    <TextInput
      type="search"
      className="search-box"
      size="xs"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={onKeys((event) => {
        if (event.key !== 'Enter' || typed === undefined) return;
        // Else the key would also press the first button of the dialog that opens.
        event.preventDefault();
        search(typed);
      })}
      leftSection={<Icon name="search" />}
      rightSection={
        text === '' ? undefined : (
          <IconButton size="sm" aria-label={t('search.clear')} onClick={() => search('')}>
            <Icon name="close" />
          </IconButton>
        )
      }
    />
  );
}
