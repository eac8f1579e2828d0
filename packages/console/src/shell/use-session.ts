import { useSyncExternalStore } from 'react';
import { useEnvironment } from '../environment.ts';

/** Whether a user has to sign in again, and what the token allows. */
export function useSession() {
  const { session } = useEnvironment();
  const isEnded = useSyncExternalStore(session.subscribe, () => session.isEnded);
  const scopes = useSyncExternalStore(session.subscribe, () => session.scopes);
  return { isEnded, scopes };
}
