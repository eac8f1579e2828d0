import { useMutation, useQuery } from '@tanstack/react-query';
import { type Client, type LogoutDelivery, readAll } from '@watchword/admin-client';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FirstOnly } from '../../components/first-only.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import type { Sorting } from '../../components/table-order.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';

const mostRead = 1000;

/** The logout tokens that get no further attempt; nothing if there are none. */
export function ClientDeliveries({ client }: { readonly client: Client }) {
  const { clientId, backchannelLogoutUri } = client;
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const notify = useNotice();
  const [sorting, setSorting] = useState<Sorting>({ key: 'ended', isDescending: true });
  const [page, setPage] = useState(1);
  const { data, refetch } = useQuery({
    queryKey: ['logoutDeliveries', clientId],
    queryFn: ({ signal }) =>
      readAll(
        (page) => admin.logoutDeliveries.list({ ...page, clientId, failed: true }, { signal }),
        mostRead,
      ),
    refetchInterval: 30_000,
    enabled: backchannelLogoutUri !== '',
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id }: LogoutDelivery) => admin.logoutDeliveries.retry(id),
    onSuccess: () => notify(t('client.deliveries.retried')),
    onSettled: () => refetch(),
  });
  if (data === undefined || data.items.length === 0) return undefined;
  const retry: Column<LogoutDelivery> = {
    key: 'retry',
    header: '',
    align: 'end',
    cell: (delivery) => (
      <Button variant="default" disabled={isPending} onClick={() => mutate(delivery)}>
        {t('client.deliveries.retry')}
      </Button>
    ),
  };
  return (
    <section className="part">
      <h2>{t('client.deliveries.title')}</h2>
      {error !== null && <Problem error={error} />}
      <DataTable<LogoutDelivery>
        caption={t('client.deliveries.title')}
        noun="logoutToken"
        columns={[...columns(), ...(mayWrite ? [retry] : [])]}
        rows={data.items}
        rowKey={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        page={page}
        onPage={setPage}
        footer={<FirstOnly list={data} />}
        empty={undefined}
      />
    </section>
  );
}

function columns(): readonly Column<LogoutDelivery>[] {
  return [
    {
      key: 'reason',
      header: t('client.errors.reason'),
      isFlexible: true,
      value: ({ failure }) => failure ?? '',
      // The reason is for developers, and in English as the log is.
      cell: ({ failure }) => <bdi lang="en">{failure}</bdi>,
    },
    {
      key: 'ended',
      header: t('client.deliveries.ended'),
      value: ({ endedAt }) => endedAt,
      cell: ({ endedAt }) => <Timestamp time={endedAt} />,
    },
  ];
}
