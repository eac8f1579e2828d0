import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { Problem } from '../problem.tsx';
import { useIsEarly } from '../use-is-early.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen, and what is removed with it. */
  readonly children: ReactNode;
  /** The text of the button. */
  readonly action: string;
  /** What has to be typed first, where a slip of the hand would cost much. */
  readonly typed?: string | undefined;
  /** It takes nothing away. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be undone, or on which others rely. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typed, isHarmless = false, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const { mutate, error, isPending } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isEarly = useIsEarly(error);
  const isReady = !isEarly && (typed === undefined || text === typed);

  function confirm(event: FormEvent) {
    event.preventDefault();
    if (isReady && !isPending) mutate();
  }

  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={confirm}>
        <div className="dialog-text">{children}</div>
        {typed !== undefined && (
          <TextInput
            size="xs"
            label={rich('confirm.type', { typed: <code>{typed}</code> })}
            autoComplete="off"
            spellCheck="false"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {error !== null && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose} data-autofocus={typed === undefined || undefined}>
            {t('action.cancel')}
          </Button>
          <Button
            type="submit"
            {...(!isHarmless && { color: 'red' })}
            loading={isPending}
            disabled={!isReady}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
