import { useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { TextInput } from '../controls/inputs.tsx';
import { onKeys } from '../controls/keys.ts';
import { t } from '../texts/texts.ts';
import { credentialIn } from './credential.ts';
import { useCredentialSearch } from './credential-search.ts';
import { Icon } from './icon.tsx';
import { usePause } from './use-pause.ts';

interface SearchBoxProps {
  readonly label: string;
  /** What is searched for. */
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** Searches when the user stops typing: each search can be a request. A credential is shown, and gets into no address. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const showCredential = useCredentialSearch();
  const search = (text: string) => {
    setTyped(undefined);
    const credential = credentialIn(text);
    if (credential === undefined) onSearch(text);
    else showCredential(credential);
  };
  usePause(typed, search);
  const text = typed ?? value;
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
