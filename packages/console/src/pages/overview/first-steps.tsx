import type { ResourceServer, Statistics } from '@watchword/admin-client';
import { LinkButton } from '../../components/link-button.tsx';
import { isSystemRecord } from '../../components/records/owner.tsx';
import { usePerson } from '../../environment.ts';
import { newClientRoute, routes } from '../../router/routes.ts';
import { clientId as ownClientId } from '../../session/authorization.ts';
import { t } from '../../texts/texts.ts';

interface FirstStepsProps {
  /** The first of them. */
  readonly resourceServers: readonly ResourceServer[];
  readonly statistics: Statistics;
}

/** What to do first, until it is done. */
export function FirstSteps({ resourceServers, statistics }: FirstStepsProps) {
  const { isAdministrator, mayRegister } = usePerson();
  const server = resourceServers.find((each) => !isSystemRecord(each));
  const system = resourceServers.find(isSystemRecord);
  const hasClient = statistics.clients.some(
    ({ clientId, resourceserver_id }) => clientId !== ownClientId && resourceserver_id !== system?.id,
  );
  if (server !== undefined && hasClient) return undefined;
  const own = !isAdministrator && server === undefined && <p className="quiet">{t('firstSteps.own')}</p>;
  if (!mayRegister) return own && <section className="card first-steps-card">{own}</section>;
  return (
    <section className="card first-steps-card">
      <div className="card-head">
        <h2>{t('firstSteps.title')}</h2>
      </div>
      {own}
      <ol className="first-steps">
        <li className={server === undefined ? undefined : 'done-step'}>{t('firstSteps.server')}</li>
        <li>{t('firstSteps.client')}</li>
        <li>{t('firstSteps.token')}</li>
      </ol>
      <p className="first-steps-next">
        {server === undefined ? (
          <LinkButton to={routes.newResourceServer} icon="plus">
            {t('servers.register')}
          </LinkButton>
        ) : (
          <LinkButton to={newClientRoute(server.id)} icon="plus">
            {t('firstSteps.registerClient')}
          </LinkButton>
        )}
      </p>
    </section>
  );
}
