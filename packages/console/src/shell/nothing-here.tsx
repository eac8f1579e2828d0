import { EmptyState } from '../components/empty-state.tsx';
import { Link } from '../router/link.tsx';
import { routes } from '../router/routes.ts';
import { t } from '../texts/texts.ts';

/** For addresses that lead nowhere. */
export function NothingHere() {
  return (
    <EmptyState title={t('notHere.title')} isHeading>
      <Link to={routes.overview}>{t('notHere.overview')}</Link>
    </EmptyState>
  );
}
