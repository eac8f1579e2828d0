import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Principal } from '@watchword/admin-client';
import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { explain } from '../components/problem.tsx';
import { Button } from '../controls/button.tsx';
import { useEnvironment } from '../environment.ts';
import { currentRoute } from '../router/place.ts';
import { startRoute } from '../session/arrive.ts';
import type { PopupSignIn } from '../session/sign-in.ts';
import { personKey } from '../session/who.ts';
import { t } from '../texts/texts.ts';
import { useSession } from './use-session.ts';

/**
 * Shown over everything once the token is no longer valid, and instead of everything after a sign-out elsewhere. Signing in happens in a separate window, so that this
 * page keeps the input of the user, and the secrets that it shows only once.
 */
export function RenewDialog() {
  const { session, signIn, principalOf } = useEnvironment();
  const { end } = useSession();
  const queries = useQueryClient();
  const [isBlocked, setBlocked] = useState(false);
  const { mutate, isPending, data, error, variables } = useMutation({
    mutationFn: async ({ answer }: PopupSignIn): Promise<'refused' | 'done'> => {
      const given = await answer;
      if (!('token' in given)) return 'refused';
      // Another user can have signed in. Waiting requests must not be sent in that user's name.
      const before = queries.getQueryData<Principal>(['principal']);
      const isSame = before && personKey(await principalOf(given.token)) === personKey(before);
      if (isSame) {
        session.resume(given);
        void queries.invalidateQueries();
      } else signIn.inThisWindow(startRoute);
      return 'done';
    },
  });

  function renew() {
    const opened = signIn.inPopup();
    setBlocked(opened === undefined);
    if (opened === undefined) return;
    variables?.abandon();
    mutate(opened);
  }

  const stage = isBlocked ? 'blocked' : isPending ? 'waiting' : data === 'refused' ? 'refused' : 'ask';
  if (end === undefined) return undefined;
  const text = t(stage === 'ask' && end === 'server' ? 'renew.ended' : `renew.${stage}`);
  return (
    <Dialog title={t('renew.title')} isFirm covers={end === 'server'} onClose={() => {}}>
      {error === null ? (
        <p role={stage === 'ask' ? undefined : 'status'}>{text}</p>
      ) : (
        <p className="problem" role="alert">
          {explain(error)} {t('renew.notYet')}
        </p>
      )}
      <div className="dialog-actions">
        <Button variant="default" onClick={() => signIn.inThisWindow(currentRoute())}>
          {t('renew.here')}
        </Button>
        {stage !== 'blocked' && (
          <Button onClick={renew} data-autofocus>
            {t(stage === 'waiting' ? 'renew.openAgain' : 'renew.again')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
