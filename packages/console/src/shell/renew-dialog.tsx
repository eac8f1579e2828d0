import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Principal } from '@watchword/admin-client';
import { useRef, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { currentRoute } from '../router/place.ts';
import { startRoute } from '../session/arrive.ts';
import type { PopupSignIn } from '../session/sign-in.ts';
import { personKey } from '../session/who.ts';
import { useSession } from './use-session.ts';

type Stage = 'ask' | 'waiting' | 'blocked' | 'refused';

const texts: Readonly<Record<Stage, string>> = {
  ask: 'For your safety, a sign-in here lasts for a limited time. What you were doing is still here, and goes on when you have signed in again.',
  waiting: 'Sign in in the window that has opened. This page goes on by itself.',
  blocked: 'Your browser did not open a window. Sign in here instead: what you have typed is kept.',
  refused: 'The server did not sign you in. What you were doing is still here.',
};

/**
 * Stands over everything once the token counts no longer. Signing in happens in a window of its own, so that this
 * page, with all that was typed and every secret that is shown for this once, stays as it is.
 */
export function RenewDialog() {
  const { session, signIn, principalOf } = useEnvironment();
  const { isEnded } = useSession();
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>('ask');
  const popup = useRef<PopupSignIn | undefined>(undefined);

  async function renew() {
    popup.current?.abandon();
    const opened = signIn.inPopup();
    popup.current = opened;
    if (opened === undefined) return setStage('blocked');
    setStage('waiting');
    const answer = await opened.answer;
    if (!('token' in answer)) return setStage('refused');
    // Whoever signed in may be somebody else, in whose name nothing that waits here may be done.
    const before = queries.getQueryData<Principal>(['principal']);
    const isSame = before && personKey(await principalOf(answer.token)) === personKey(before);
    if (!isSame) return signIn.inThisWindow(startRoute);
    setStage('ask');
    session.resume(answer);
    await queries.invalidateQueries();
  }

  return (
    <Modal
      opened={isEnded}
      onClose={() => {}}
      title="Sign in again to go on"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={1000}
    >
      <p role={stage === 'ask' ? undefined : 'status'}>{texts[stage]}</p>
      <div className="dialog-actions">
        <Button variant="default" onClick={() => signIn.inThisWindow(currentRoute())}>
          Sign in in this window
        </Button>
        {stage !== 'blocked' && (
          <Button onClick={() => void renew()} data-autofocus>
            {stage === 'waiting' ? 'Open it again' : 'Sign in again'}
          </Button>
        )}
      </div>
    </Modal>
  );
}
