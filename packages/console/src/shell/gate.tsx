import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Problem } from '../components/problem.tsx';
import { type Person, PersonContext, useEnvironment } from '../environment.ts';
import { personKey } from '../session/who.ts';
import { t } from '../texts/texts.ts';
import { RenewDialog } from './renew-dialog.tsx';
import { Shell } from './shell.tsx';
import { useSession } from './use-session.ts';

/** Shows the pages to the person whom the token represents. */
export function Gate() {
  const { admin, drafts } = useEnvironment();
  const { scopes } = useSession();
  const ofPrincipal = useQuery({
    queryKey: ['principal'],
    queryFn: ({ signal }) => admin.principal({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ofRegistration = useQuery({
    queryKey: ['registration'],
    queryFn: ({ signal }) => admin.registration({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const principal = ofPrincipal.data;
  const right = ofRegistration.data;
  const error = ofPrincipal.error ?? ofRegistration.error;
  const refetch = () => Promise.all([ofPrincipal.refetch(), ofRegistration.refetch()]);
  const person = useMemo<Person | undefined>(() => {
    if (principal === undefined || right === undefined) return undefined;
    const mayWrite = scopes.includes('write');
    return {
      principal,
      isAdministrator: principal.adminPrincipal,
      mayWrite,
      mayRegister: mayWrite && right.mayRegister,
      registration: right.registration,
    };
  }, [principal, right, scopes]);
  const key = principal && personKey(principal);
  useEffect(() => {
    if (key !== undefined) drafts.restore(key);
  }, [drafts, key]);
  return (
    <>
      {person === undefined ? (
        <main className="lone">
          {error === null ? (
            <p role="status">{t('page.loading')}</p>
          ) : (
            <Problem error={error} onRetry={() => refetch()} />
          )}
        </main>
      ) : (
        <PersonContext value={person}>
          <Shell />
        </PersonContext>
      )}
      <RenewDialog />
    </>
  );
}
