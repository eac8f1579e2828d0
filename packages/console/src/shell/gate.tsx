import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Principal } from '@watchword/admin-client';
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { principalQuery, registrationQuery } from '../api/queries.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { explain, Problem } from '../components/problem.tsx';
import { Button } from '../controls/button.tsx';
import { type Person, PersonContext, useEnvironment } from '../environment.ts';
import { currentRoute } from '../router/place.ts';
import { personKey } from '../rules/identity-provider.ts';
import { startRoute } from '../session/arrive.ts';
import type { SessionEnd } from '../session/session.ts';
import type { PopupSignIn } from '../session/sign-in.ts';
import { t } from '../texts/texts.ts';
import { Shell } from './shell.tsx';

/** Shows the pages to the person whom the token represents. */
export function Gate() {
  const { admin, drafts } = useEnvironment();
  const { scopes } = useSession();
  const ofPrincipal = useQuery(principalQuery(admin));
  const ofRegistration = useQuery(registrationQuery(admin));
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
      mayInvite: mayWrite && right.accounts !== 'off',
    };
  }, [principal, right, scopes]);
  const key = principal && personKey(principal);
  // Forms read what was typed when they are first shown.
  const [restored, setRestored] = useState<string>();
  useLayoutEffect(() => {
    if (key === undefined) return;
    drafts.restore(key);
    setRestored(key);
  }, [drafts, key]);
  return (
    <>
      {person === undefined || restored !== key ? (
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

/**
 * Shown over everything once the token is no longer valid, or too old for what the user wants, and instead of everything after a sign-out elsewhere. Signing in happens in a separate window, so that this
 * page keeps the input of the user, and the secrets that it shows only once.
 */
function RenewDialog() {
  const { session, signIn, principalOf } = useEnvironment();
  const { end, demandedAge: maxAge } = useSession();
  const queries = useQueryClient();
  const [isBlocked, setBlocked] = useState(false);
  const { mutate, reset, isPending, data, error, variables } = useMutation({
    mutationFn: async ({ answer }: PopupSignIn): Promise<'refused' | 'done'> => {
      const given = await answer;
      if (!('token' in given)) return 'refused';
      const before = queries.getQueryData<Principal>(['principal']);
      const ownerOf = async (token: string) => personKey(await principalOf(token));
      if (await session.resume(given, before && personKey(before), ownerOf)) void queries.invalidateQueries();
      else signIn.inThisWindow(startRoute);
      return 'done';
    },
  });

  function renew() {
    const opened = signIn.inPopup({ maxAge });
    setBlocked(opened === undefined);
    if (opened === undefined) return;
    variables?.abandon();
    mutate(opened);
  }

  const stage = isBlocked ? 'blocked' : isPending ? 'waiting' : data === 'refused' ? 'refused' : 'ask';
  if (end === undefined && maxAge === undefined) return undefined;
  const decline = () => {
    variables?.abandon();
    // What became of this login says nothing of the next one.
    reset();
    setBlocked(false);
    session.decline();
  };
  return (
    <Dialog title={t('renew.title')} isFirm={end !== undefined} covers={end === 'server'} onClose={decline}>
      {error === null ? (
        <p role={stage === 'ask' ? undefined : 'status'}>
          {stage === 'ask' ? whyAgain(end, maxAge) : t(`renew.${stage}`)}
        </p>
      ) : (
        <p className="problem" role="alert">
          {explain(error)} {t('renew.notYet')}
        </p>
      )}
      <div className="dialog-actions">
        {end === undefined && (
          <Button variant="default" onClick={decline}>
            {t('action.cancel')}
          </Button>
        )}
        {(end !== undefined || stage === 'blocked') && (
          <Button variant="default" onClick={() => signIn.inThisWindow(currentRoute(), { maxAge })}>
            {t('renew.here')}
          </Button>
        )}
        {stage !== 'blocked' && (
          <Button onClick={renew} data-autofocus>
            {t(stage === 'waiting' ? 'renew.openAgain' : 'renew.again')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function whyAgain(end: SessionEnd | undefined, maxAge = 0): string {
  if (end === undefined) return t('renew.final', { seconds: maxAge });
  return t(end === 'server' ? 'renew.ended' : 'renew.ask');
}

/** Why a user has to sign in again, if so, and what the token allows. */
function useSession() {
  const { session } = useEnvironment();
  const end = useSyncExternalStore(session.subscribe, () => session.end);
  const demandedAge = useSyncExternalStore(session.subscribe, () => session.demandedAge);
  const scopes = useSyncExternalStore(session.subscribe, () => session.scopes);
  return { end, demandedAge, scopes };
}
