import { useQuery } from '@tanstack/react-query';
import { readAll } from '@watchword/admin-client';
import { useEffect } from 'react';
import { readWhole } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { currentRoute, goTo, placeOf, routeTo } from '../../router/place.ts';
import { clientRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** Goes to the page of the client with a clientId: tokens and audit events have no record id of their client. */
export function ClientNamed({ clientId }: { readonly clientId: string }) {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['clients', 'named', clientId],
    queryFn: async ({ signal }) => {
      const search = (page: object) => admin.clients.listAll({ ...page, q: clientId }, { signal });
      const { items } = await readAll(search, readWhole);
      return items.find((client) => client.clientId === clientId) ?? null;
    },
  });
  useEffect(() => {
    if (data == null) return;
    const { query } = placeOf(currentRoute());
    const to = clientRoute(data.resourceserver_id, data.id);
    goTo(routeTo(to, Object.fromEntries(query)), { replace: true });
  }, [data]);
  if (data !== null) return <Waiting error={error} refetch={refetch} />;
  return (
    <EmptyState title={t('client.missing.title', { clientId })} isHeading>
      <p>{t('client.missing.advice')}</p>
      <Link to={routes.clients}>{t('client.missing.clients')}</Link>
    </EmptyState>
  );
}
