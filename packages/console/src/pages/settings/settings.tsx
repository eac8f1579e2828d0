import { useQuery } from '@tanstack/react-query';
import type { Setting } from '@watchword/admin-client';
import { settingsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { searchOf } from '../../components/tables/rows.ts';
import { useListState } from '../../components/tables/use-list-state.ts';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { valueText } from '../../format/value.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

const origins: readonly Setting['origin'][] = ['flag', 'environment', 'file', 'default'];

const columns = (): readonly Column<Setting>[] => [
  {
    key: 'name',
    header: t('settings.name'),
    isFlexible: true,
    value: ({ name }) => name,
    cell: ({ name, description, documentation }) => (
      <>
        <a href={documentation} target="_blank" rel="noreferrer" title={t('settings.documentation')}>
          <code>{name}</code>
        </a>
        <p className="whole-note" lang="en">
          {description}
        </p>
      </>
    ),
  },
  {
    key: 'value',
    header: t('settings.value'),
    cell: ({ value, hidden, default: usual, origin }) => (
      <div>
        {hidden && value === null ? (
          <span className="quiet">{t('settings.hidden')}</span>
        ) : (
          <code className="setting-value">{textOf(value)}</code>
        )}
        {origin !== 'default' && (
          <p className="whole-note">{rich('settings.default', { value: <code>{textOf(usual)}</code> })}</p>
        )}
      </div>
    ),
  },
  {
    key: 'origin',
    header: t('settings.origin'),
    value: ({ origin }) => origins.indexOf(origin),
    cell: ({ origin, place }) => (
      <div>
        <span className={origin === 'default' ? 'quiet' : 'unbroken'}>{t(`settings.origin.${origin}`)}</span>
        {place !== null && (
          <p className="whole-note">
            <code>{place}</code>
          </p>
        )}
      </div>
    ),
  },
];

/** What the server runs with, and who said so. It can only be read. */
export function Settings() {
  const { admin } = useEnvironment();
  const list = useListState({ key: '', isDescending: false });
  const from = list.get('from');
  const { data, error, refetch } = useQuery(settingsQuery(admin));
  const matches = searchOf(list.q, ({ name, description, flag, environmentVariable, value }: Setting) => [
    ...[name, description, flag, environmentVariable],
    valueText(value),
  ]);
  const isFrom = ({ origin }: Setting) =>
    from === '' || (from === 'set' ? origin !== 'default' : origin === from);
  const rows = data?.items.filter((row) => matches(row) && isFrom(row));
  return (
    <>
      <PageHeader title={t('settings.title')} lead={t('settings.lead')} />
      <div className="toolbar">
        <SearchBox label={t('settings.search')} value={list.q} onSearch={(q) => list.set({ q })} />
        <Select
          size="xs"
          aria-label={t('table.which')}
          value={from}
          onChange={({ currentTarget }) => list.set({ from: currentTarget.value })}
          data={[
            { value: '', label: t('settings.all') },
            { value: 'set', label: t('settings.set') },
            ...origins.map((origin) => ({ value: origin, label: t(`settings.origin.${origin}`) })),
          ]}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {rows === undefined ? (
        error === null && <Loading rows={8} />
      ) : (
        <DataTable
          caption={t('settings.title')}
          noun="setting"
          columns={columns()}
          rows={rows}
          rowKey={({ name }) => name}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          empty={<EmptyState title={t('settings.none')} />}
        />
      )}
    </>
  );
}

/** A value as a file has it. */
function textOf(value: unknown): string {
  return typeof value === 'string' || value === null ? valueText(value) : JSON.stringify(value);
}
