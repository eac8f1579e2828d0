import { Button } from '../../controls/button.tsx';
import { t } from '../../texts/texts.ts';

interface MoreProps {
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
  /** What the list shows until more is read. */
  readonly note?: string;
}

/** Reads the next part of a list that is not read whole. */
export function More({ hasMore, isReadingMore, readMore, note }: MoreProps) {
  if (!hasMore) return null;
  return (
    <p className="more">
      <Button variant="default" loading={isReadingMore} onClick={readMore}>
        {t('action.more')}
      </Button>
      {note !== undefined && <span className="quiet">{note}</span>}
    </p>
  );
}
