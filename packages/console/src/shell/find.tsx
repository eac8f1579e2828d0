import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCredentialSearch } from '../components/search/credential-search.ts';
import { SearchSelect } from '../components/search/search-select.tsx';
import type { SelectOption } from '../components/search/use-combobox.ts';
import { useEnvironment, usePerson } from '../environment.ts';
import { goTo } from '../router/place.ts';
import { personKey } from '../rules/identity-provider.ts';
import { t } from '../texts/texts.ts';
import { findEverything } from './find-everything.ts';
import { recentOf } from './recent.ts';

interface FindProps {
  /** The pages that this user has. */
  readonly pages: readonly SelectOption[];
  /** Makes the field visible, when its key is pressed. */
  readonly onShow: () => void;
}

/** Finds what has a name or an id, on every page, and an access token by its text. Before anything is typed it offers what was opened last. */
export function Find({ pages, onShow }: FindProps) {
  const { admin, hasLocalAccounts } = useEnvironment();
  const { principal, isAdministrator } = usePerson();
  const queries = useQueryClient();
  const showCredential = useCredentialSearch();
  const [recent] = useState(() => recentOf(sessionStorage, personKey(principal)));
  const [q, setQ] = useState('');
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: ['find', q],
    queryFn: ({ signal }) =>
      findEverything(q, { admin, queries, isAdministrator, hasLocalAccounts, pages, signal }),
    enabled: q !== '',
    placeholderData: (before) => before,
  });
  const opened = recent.list();
  const choose = (option: SelectOption) => {
    recent.add(option);
    goTo(option.value);
  };
  return (
    <SearchSelect
      label={t('find.label')}
      placeholder={t('find.label')}
      hint={opened.length === 0 ? t('find.hint') : t('find.recentHint')}
      {...(q === '' && opened.length > 0 && { heading: t('find.recent') })}
      icon="search"
      isBare
      shortcut="/"
      onShortcut={onShow}
      chosen={undefined}
      options={q === '' ? opened : data}
      isLoading={q !== '' && isPlaceholderData}
      onSearch={setQ}
      onCredential={showCredential}
      onChoose={choose}
    />
  );
}
