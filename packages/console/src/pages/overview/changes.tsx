import { useQuery } from '@tanstack/react-query';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { AuditLine } from '../audit/audit-entries.tsx';

// So many fit on a screen together with the rest of the page.
const shown = 8;

/** What changed last: who did it, and when. */
export function Changes() {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'last'],
    queryFn: ({ signal }) => admin.auditEvents.list({ kind: 'changes', limit: shown }, { signal }),
    refetchInterval: 60_000,
  });
  return (
    <section className="overview-part">
      <div className="card-head">
        <h2>{t('overview.changes')}</h2>
        <Link to={routes.audit}>{t('overview.allChanges')}</Link>
      </div>
      {data === undefined ? (
        <Waiting error={error} refetch={refetch} />
      ) : data.items.length === 0 ? (
        <p className="quiet">{t('overview.noChanges')}</p>
      ) : (
        <ol className="audit-log">
          {data.items.map((event) => (
            <li key={event.id} className="audit-log-entry">
              <div className="audit-log-line">
                <AuditLine event={event} isLinked />
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
