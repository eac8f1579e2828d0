import type { Client } from '@watchword/admin-client';
import { EmptyState } from '../../components/empty-state.tsx';
import { Button } from '../../controls/button.tsx';
import { t } from '../../texts/texts.ts';

interface NoAccessProps {
  /** Only access of this one is listed. */
  readonly client: Client | undefined;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** Instead of rows, where there are none. */
export function NoAccess({ client, isFiltered, hasMore, onMore }: NoAccessProps) {
  if (hasMore) {
    return (
      <EmptyState title={t('access.none.more')}>
        <p>{t('access.none.moreAdvice')}</p>
        <Button variant="default" onClick={onMore}>
          {t('access.none.further')}
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title={t('access.none.filtered')}>
        <p>{t('access.none.filteredAdvice')}</p>
      </EmptyState>
    );
  }
  if (client !== undefined) {
    return (
      <EmptyState title={t('access.none.client')}>
        <p>{t('access.none.clientAdvice')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('access.none.all')}>
      <p>{t('access.none.allAdvice')}</p>
    </EmptyState>
  );
}
