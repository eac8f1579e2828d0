import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { More } from '../../components/tables/more.tsx';
import { type ListState, useListState } from '../../components/tables/use-list-state.ts';
import { Button } from '../../controls/button.tsx';
import { Select, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { midnight } from '../../format/time.ts';
import { part } from '../../router/part.ts';
import { t } from '../../texts/texts.ts';
import { AuditEntries } from './audit-entries.tsx';
import { actions, filterFor, selections } from './audit-texts.tsx';

const ExportDialog = part(async () => (await import('./export-dialog.tsx')).ExportDialog);

/** Who did what, with filters that stand in the address. */
export function AuditLog() {
  const { admin } = useEnvironment();
  const { isAdministrator } = usePerson();
  const list = useListState({ key: 'time', isDescending: true });
  const [isExporting, setExporting] = useState(false);
  const { isFiltered, filter } = filterIn(list);
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['audit', filter],
    (page, options) => admin.auditEvents.list({ ...page, ...filter }, options),
  );
  return (
    <>
      <PageHeader
        title={t('audit.title')}
        lead={t(isAdministrator ? 'audit.leadAll' : 'audit.leadOwn')}
        actions={
          <Button variant="default" onClick={() => setExporting(true)}>
            {t('audit.export')}
          </Button>
        }
      />
      <Filters list={list} />
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined
        ? error === null && <Loading rows={8} />
        : items.length === 0 && (
            <EmptyState title={t(isFiltered ? 'audit.noneFits' : 'audit.none')}>
              <p>{t('audit.noneAdvice')}</p>
            </EmptyState>
          )}
      {items !== undefined && items.length > 0 && <AuditEntries events={items} />}
      <More {...{ hasMore, isReadingMore, readMore }} />
      {isExporting && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </>
  );
}

const filters = ['type', 'action', 'actor', 'from', 'to'] as const;

/** The filter of the address. Days are those of the time zone of the browser, and the last one is part of it. */
function filterIn(list: ListState) {
  const isFiltered = list.q !== '' || filters.some((name) => list.get(name) !== '');
  const filter = {
    q: list.q || undefined,
    actor: list.get('actor') || undefined,
    action: actions.find((action) => action === list.get('action')),
    since: midnight(list.get('from')),
    until: midnight(list.get('to'), 1),
    ...filterFor(list.get('type')),
  };
  return { isFiltered, filter };
}

function Filters({ list }: { readonly list: ListState }) {
  const set = (name: (typeof filters)[number]) => (value: string) => list.set({ [name]: value });
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      size="xs"
      className="beside-label"
      label={t(`audit.${name}Day`)}
      value={list.get(name)}
      min={name === 'to' ? list.get('from') : undefined}
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
    />
  );
  return (
    <div className="toolbar">
      <SearchBox label={t('audit.search')} value={list.q} onSearch={(q) => list.set({ q })} />
      <SearchBox label={t('audit.by')} value={list.get('actor')} onSearch={set('actor')} />
      <Select
        size="xs"
        aria-label={t('audit.kind')}
        value={list.get('type')}
        onChange={({ currentTarget }) => set('type')(currentTarget.value)}
        data={selections()}
      />
      <Select
        size="xs"
        aria-label={t('audit.action')}
        value={list.get('action')}
        onChange={({ currentTarget }) => set('action')(currentTarget.value)}
        data={[
          { value: '', label: t('audit.anyAction') },
          ...actions.map((action) => ({ value: action, label: t(`audit.action.${action}`) })),
        ]}
      />
      <div className="toolbar-days">
        {day('from')}
        {day('to')}
      </div>
    </div>
  );
}
