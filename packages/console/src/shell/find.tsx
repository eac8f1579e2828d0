import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { find } from '../api/find.ts';
import { useCredentialSearch } from '../components/credential-search.ts';
import { SearchSelect } from '../components/search-select.tsx';
import { useEnvironment, usePerson } from '../environment.ts';
import { goTo } from '../router/place.ts';
import { t } from '../texts/texts.ts';

/** Finds a record or a person by a part of the name, on every page, and an access token by its text. */
export function Find() {
  const { admin, hasLocalAccounts } = useEnvironment();
  const { isAdministrator } = usePerson();
  const showCredential = useCredentialSearch();
  const [q, setQ] = useState('');
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: ['find', q],
    queryFn: ({ signal }) => find(admin, q, { isAdministrator, hasLocalAccounts, signal }),
    enabled: q !== '',
    placeholderData: (before) => before,
  });
  return (
    <SearchSelect
      label={t('find.label')}
      placeholder={t('find.label')}
      hint={t('find.hint')}
      icon="search"
      isBare
      chosen={undefined}
      options={q === '' ? [] : data}
      isLoading={q !== '' && isPlaceholderData}
      onSearch={setQ}
      onCredential={showCredential}
      onChoose={({ value }) => goTo(value)}
    />
  );
}
