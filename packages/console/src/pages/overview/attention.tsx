import { useQuery } from '@tanstack/react-query';
import type { StatisticsPage } from '@watchword/admin-client';
import { Problem } from '../../components/problem.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { t } from '../../texts/texts.ts';
import { findingsOf } from './findings.ts';

/** Whether anything is wrong. @param statistics of the last day; `undefined` while they are read */
export function Attention({ statistics }: { readonly statistics: StatisticsPage | undefined }) {
  const summary = useRefused();
  const removed = useRemovedIdentityProviders();
  const undelivered = useUndelivered();
  const failed = [summary, removed, undelivered].find(({ error }) => error !== null);
  if (failed !== undefined) return <Problem error={failed.error} onRetry={failed.refetch} />;
  if (
    statistics === undefined ||
    summary.data === undefined ||
    removed.data === undefined ||
    undelivered.data === undefined
  ) {
    return <p className="card attention quiet">{t('overview.checking')}</p>;
  }
  const findings = findingsOf({
    statistics,
    summary: summary.data,
    removed: removed.data,
    undelivered: undelivered.data,
    now: Date.now(),
  });
  if (findings.length === 0) {
    return (
      <p className="card attention" data-calm>
        <Icon name="check" />
        {t('overview.calm')}
      </p>
    );
  }
  return (
    <section className="card attention">
      <h2>{t('overview.attention')}</h2>
      <ul>
        {findings.map(({ text, link }) => (
          <li key={text}>
            <Icon name="warning" />
            <span>
              {text} {link !== undefined && <Link to={link.to}>{link.label}</Link>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useRefused() {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['requestErrors', 'summary'],
    queryFn: ({ signal }) => admin.requestErrors.summary({}, { signal }),
    refetchInterval: 60_000,
  });
}

/** Those that no attempt follows: nobody learns of them by waiting. */
function useUndelivered() {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['logoutDeliveries', 'failed'],
    queryFn: async ({ signal }) =>
      (await admin.logoutDeliveries.list({ failed: true, limit: 100 }, { signal })).items,
    refetchInterval: 60_000,
  });
}

/** The server counts what each of them has left, so it is not asked each minute. */
function useRemovedIdentityProviders() {
  const { admin } = useEnvironment();
  const { isAdministrator } = usePerson();
  return useQuery({
    queryKey: ['identityProviders', 'removed'],
    queryFn: async ({ signal }) =>
      isAdministrator ? (await admin.identityProviders.list({ configured: false }, { signal })).items : [],
    staleTime: 300_000,
  });
}
