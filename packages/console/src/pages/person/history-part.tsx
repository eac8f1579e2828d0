import type { ResourceOwner } from '@watchword/admin-client';
import { usePages } from '../../api/use-pages.ts';
import { More } from '../../components/more.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { AuditEntries } from '../audit/audit-entries.tsx';

// So many fit below the rest of the page; more on request.
const limit = 20;

/** What this person did, and what was done with what is theirs. */
export function HistoryPart({ owner }: { readonly owner: ResourceOwner }) {
  const { admin } = useEnvironment();
  const { resourceOwnerId, resourceOwnerAuthority: identityProvider } = owner;
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['audit', 'person', owner],
    ({ cursor }, options) =>
      admin.auditEvents.list({ cursor, limit, resourceOwnerId, identityProvider }, options),
  );
  return (
    <section className="part">
      <h2>{t('audit.title')}</h2>
      {items === undefined ? (
        <Waiting error={error} refetch={refetch} />
      ) : items.length === 0 ? (
        <p className="quiet">{t('person.noEvents')}</p>
      ) : (
        <AuditEntries events={items} />
      )}
      <More {...{ hasMore, isReadingMore, readMore }} />
    </section>
  );
}
