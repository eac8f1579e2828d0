import { EmptyState } from '../components/empty-state.tsx';
import { Link } from '../router/link.tsx';
import { routes } from '../router/routes.ts';

/** For addresses that lead nowhere. */
export function NothingHere() {
  return (
    <EmptyState title="There is no such page" isHeading>
      <Link to={routes.overview}>Go to the overview</Link>
    </EmptyState>
  );
}
