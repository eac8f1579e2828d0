import { useSyncExternalStore } from 'react';
import { useEnvironment } from '../environment.ts';

/** Why a user has to sign in again, if so, and what the token allows. */
export function useSession() {
  const { session } = useEnvironment();
  const end = useSyncExternalStore(session.subscribe, () => session.end);
  const scopes = useSyncExternalStore(session.subscribe, () => session.scopes);
  return { end, scopes };
}
