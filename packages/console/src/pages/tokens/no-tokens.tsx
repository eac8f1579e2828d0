import { EmptyState } from '../../components/empty-state.tsx';
import { Button } from '../../controls/button.tsx';
import { t } from '../../texts/texts.ts';

interface NoTokensProps {
  readonly isAdministrator: boolean;
  readonly isFiltered: boolean;
  readonly state: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** What stands where no token is listed. */
export function NoTokens({ isAdministrator, isFiltered, state, hasMore, onMore }: NoTokensProps) {
  if (hasMore) {
    return (
      <EmptyState title={t('tokens.none.more')}>
        <p>{t('tokens.none.moreAdvice')}</p>
        <Button variant="default" onClick={onMore}>
          {t('tokens.none.further')}
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) return <EmptyState title={t('tokens.none.filtered')} />;
  if (state === 'expired') return <EmptyState title={t('tokens.none.expired')} />;
  return (
    <EmptyState title={t('tokens.none.valid')}>
      <p>{t(isAdministrator ? 'tokens.none.adviceAll' : 'tokens.none.adviceOwn')}</p>
    </EmptyState>
  );
}
