import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Principal } from '@watchword/admin-client';
import { useState } from 'react';
import { explain } from '../components/problem.tsx';
import { useEnvironment } from '../environment.ts';
import { currentRoute } from '../router/place.ts';
import { startRoute } from '../session/arrive.ts';
import type { PopupSignIn } from '../session/sign-in.ts';
import { personKey } from '../session/who.ts';
import { useSession } from './use-session.ts';

const texts = {
  ask: 'For your safety, a sign-in here lasts for a limited time. Your input is still here, and you can continue after you have signed in again.',
  waiting: 'Sign in in the window that has opened. This page then continues.',
  blocked: 'Your browser did not open a window. Sign in here instead: what you have typed is kept.',
  refused: 'The server did not sign you in. Your input is still here.',
} as const;

/**
 * Shown over everything once the token is no longer valid. Signing in happens in a separate window, so that this
 * page keeps the input of the user, and the secrets that it shows only once.
 */
export function RenewDialog() {
  const { session, signIn, principalOf } = useEnvironment();
  const { isEnded } = useSession();
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
  return (
    <Modal
      opened={isEnded}
      onClose={() => {}}
      title="Sign in again to continue"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={1000}
    >
      {error === null ? (
        <p role={stage === 'ask' ? undefined : 'status'}>{texts[stage]}</p>
      ) : (
        <p className="problem" role="alert">
          {explain(error)} You are not signed in again yet.
        </p>
      )}
      <div className="dialog-actions">
        <Button variant="default" onClick={() => signIn.inThisWindow(currentRoute())}>
          Sign in in this window
        </Button>
        {stage !== 'blocked' && (
          <Button onClick={renew} data-autofocus>
            {stage === 'waiting' ? 'Open it again' : 'Sign in again'}
          </Button>
        )}
      </div>
    </Modal>
  );
}
