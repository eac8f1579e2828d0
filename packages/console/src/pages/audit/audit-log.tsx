import { usePages } from '../../api/use-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { More } from '../../components/tables/more.tsx';
import { useListState } from '../../components/tables/use-list-state.ts';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { AuditEntries } from './audit-entries.tsx';
import { filterFor, selections } from './audit-texts.tsx';

export function AuditLog() {
  const { admin } = useEnvironment();
  const { isAdministrator } = usePerson();
  const list = useListState({ key: 'time', isDescending: true });
  const { q } = list;
  const selection = list.get('type');
  const filter = { q: q || undefined, ...filterFor(selection) };
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['audit', filter],
    (page, options) => admin.auditEvents.list({ ...page, ...filter }, options),
  );
  return (
    <>
      <PageHeader title={t('audit.title')} lead={t(isAdministrator ? 'audit.leadAll' : 'audit.leadOwn')} />
      <div className="toolbar">
        <SearchBox label={t('audit.search')} value={list.q} onSearch={(value) => list.set({ q: value })} />
        <Select
          size="xs"
          aria-label={t('audit.kind')}
          value={selection}
          onChange={({ currentTarget }) => list.set({ type: currentTarget.value })}
          data={selections()}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined
        ? error === null && <Loading rows={8} />
        : items.length === 0 && (
            <EmptyState title={t(q === '' && selection === '' ? 'audit.none' : 'audit.noneFits')}>
              <p>{t('audit.noneAdvice')}</p>
            </EmptyState>
          )}
      {items !== undefined && items.length > 0 && <AuditEntries events={items} />}
      <More {...{ hasMore, isReadingMore, readMore }} />
    </>
  );
}
