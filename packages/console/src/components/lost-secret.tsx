import { usePerson } from '../environment.ts';
import { Link } from '../router/link.tsx';
import { routeTo, usePlace } from '../router/place.ts';

/** Below lines that need a secret: where it is to be had. */
export function LostSecret() {
  const { mayWrite } = usePerson();
  const { path } = usePlace();
  return (
    <p className="quiet lost-secret">
      The secret was shown when it was made, and the server does not know it.
      {mayWrite && (
        <>
          {' '}
          If it is lost, <Link to={routeTo(path, { tab: 'danger' })}>make a new one</Link>.
        </>
      )}
    </p>
  );
}
