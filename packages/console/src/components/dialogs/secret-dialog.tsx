import { type ReactNode, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { Code } from '../code.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from './dialog.tsx';

export interface ShownSecret {
  readonly title: string;
  /** What the secret belongs to: "clientId" and its value. */
  readonly name?: { readonly label: string; readonly value: string };
  readonly kind: 'secret' | 'token' | 'resetLink' | 'invitation';
  readonly secret: string;
  /** What to do with it. */
  readonly advice: ReactNode;
  /** Lines to use it with, in which it stands. */
  readonly use?: ReactNode;
}

interface SecretDialogProps {
  readonly shown: ShownSecret;
  readonly onClose: () => void;
}

/** Shows a secret, this once: it closes by its button alone. */
export function SecretDialog({ shown, onClose }: SecretDialogProps) {
  const { title, name, kind, secret, advice, use } = shown;
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} isWide isFirm>
      <p className="once">
        <Icon name="warning" />
        <span>{rich(`secret.once.${kind}`)}</span>
      </p>
      <dl className="secret-parts">
        {name !== undefined && (
          <>
            <dt>{name.label}</dt>
            <dd>
              <Code text={name.value} what={name.label} />
            </dd>
          </>
        )}
        <dt>{t(`secret.name.${kind}`)}</dt>
        <dd className="secret">
          <code data-testid="secret">{secret}</code>
          <CopyButton text={secret} what={t(`secret.the.${kind}`)} isLarge onCopy={() => setCopied(true)} />
        </dd>
      </dl>
      <div className="dialog-text">{advice}</div>
      {use}
      <div className="dialog-actions">
        <Button variant={isCopied ? 'filled' : 'default'} onClick={onClose}>
          {t('secret.stored')}
        </Button>
      </div>
    </Dialog>
  );
}
