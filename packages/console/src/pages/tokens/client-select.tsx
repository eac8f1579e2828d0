import type { Client } from '@watchword/admin-client';
import { useState } from 'react';
import { useClientChoice } from '../../api/choices.ts';
import { Problem } from '../../components/problem.tsx';
import { SearchSelect } from '../../components/search-select.tsx';
import { t } from '../../texts/texts.ts';

interface ClientSelectProps {
  readonly chosen: Client | undefined;
  readonly onChoose: (client: Client) => void;
}

export function ClientSelect({ chosen, onChoose }: ClientSelectProps) {
  const [q, setQ] = useState('');
  const { data, error, refetch, isPlaceholderData } = useClientChoice(q);
  const clients = data?.items ?? [];
  return (
    <>
      <SearchSelect
        label={t('token.client')}
        placeholder={t('token.issue.choose')}
        chosen={chosen && optionOf(chosen)}
        options={clients.map(optionOf)}
        hasMore={data?.isComplete === false}
        isLoading={data === undefined || isPlaceholderData}
        onSearch={setQ}
        onChoose={({ value }) => {
          const client = clients.find(({ clientId }) => clientId === value);
          if (client !== undefined) onChoose(client);
        }}
      />
      {error !== null && <Problem error={error} onRetry={refetch} />}
    </>
  );
}

function optionOf({ clientId, clientName }: Client) {
  return { value: clientId, label: clientName, ...(clientName !== clientId && { note: clientId }) };
}
