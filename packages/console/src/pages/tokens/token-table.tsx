import type { AccessToken } from '@watchword/admin-client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { More } from '../../components/more.tsx';
import { usePerson } from '../../environment.ts';
import type { ListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { NoTokens } from './no-tokens.tsx';

interface TokenTableProps {
  readonly tokens: readonly AccessToken[];
  readonly columns: readonly Column<AccessToken>[];
  readonly list: ListState;
  readonly state: string;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
}

export function TokenTable(props: TokenTableProps) {
  const { tokens, columns, list, state, isFiltered, hasMore, isReadingMore, readMore } = props;
  const { isAdministrator } = usePerson();
  return (
    <DataTable<AccessToken>
      caption={t('tokens.table')}
      isDense
      noun="token"
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
      sorting={list.sorting}
      onSort={list.setSorting}
      page={list.page}
      onPage={list.setPage}
      hasMore={hasMore}
      footer={hasMore && <More {...{ hasMore, isReadingMore, readMore }} note={t('tokens.newest')} />}
      empty={<NoTokens {...{ isAdministrator, isFiltered, state, hasMore }} onMore={readMore} />}
    />
  );
}
