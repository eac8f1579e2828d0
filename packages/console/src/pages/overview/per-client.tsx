import type { StatisticsPage } from '@watchword/admin-client';
import { Bars } from '../../charts/bars.tsx';
import { Link } from '../../router/link.tsx';
import { clientRoute } from '../../router/routes.ts';
import { atLeast } from './at-least.ts';
import { Card } from './card.tsx';

/** The number of tokens and resource owners of each client. */
export function PerClient({ statistics }: { readonly statistics: StatisticsPage }) {
  const tokens = barsOf('tokens', statistics);
  const owners = barsOf('resourceOwners', statistics);
  return (
    <>
      <Card title="Active tokens per client">
        {tokens.length === 0 ? (
          <p className="quiet">No client has a valid token now.</p>
        ) : (
          <Bars label="Active tokens per client" bars={tokens} />
        )}
      </Card>
      <Card title="People per client">
        {owners.length === 0 ? (
          <p className="quiet">No user has granted access to a client now.</p>
        ) : (
          <Bars label="People per client" bars={owners} color={2} />
        )}
      </Card>
    </>
  );
}

function barsOf(what: 'tokens' | 'resourceOwners', { clients, countLimit }: StatisticsPage) {
  return clients
    .filter((client) => client[what] > 0)
    .map((client) => ({
      key: client.clientId,
      label: (
        <Link to={clientRoute(client.resourceserver_id, client.id)}>
          <bdi>{client.clientName}</bdi>
        </Link>
      ),
      value: client[what],
      text: atLeast(client[what], client[what] >= countLimit),
    }));
}
