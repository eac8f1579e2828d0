import { useState } from 'react';
import { useResourceServerChoice } from '../../api/choices.ts';
import { useResourceServer } from '../../api/queries.ts';
import { SearchSelect } from '../../components/search/search-select.tsx';
import { t } from '../../texts/texts.ts';

interface ResourceServerSelectProps {
  /** Record id of the one whose clients are listed; `''`: of all. */
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

export function ResourceServerSelect({ value, onChoose }: ResourceServerSelectProps) {
  const all = { value: '', label: t('clients.allServers') };
  const [q, setQ] = useState('');
  const { data, isPlaceholderData } = useResourceServerChoice(q);
  const { data: found } = useResourceServer(Number(value));
  const options = (data?.items ?? []).map(({ id, key, name }) => ({
    value: String(id),
    label: name,
    ...(key !== name && { note: key }),
  }));
  return (
    <SearchSelect
      label={t('servers.one')}
      isBare
      chosen={found === undefined ? all : { value, label: found.record.name }}
      options={q === '' ? [all, ...options] : options}
      hasMore={data?.isComplete === false}
      isLoading={data === undefined || isPlaceholderData}
      onSearch={setQ}
      onChoose={(option) => onChoose(option.value)}
    />
  );
}
