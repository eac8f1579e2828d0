import type { SigningKey } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { CodeBlock } from '../../components/code.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Switch } from '../../controls/choices.tsx';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { timeText } from '../../format/time.ts';
import { keySetMaxAge, publicationLead, publishedAfter } from '../../rules/signing-keys.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

interface OfKey {
  readonly signingKey: SigningKey;
  readonly onClose: () => void;
}

interface RotateDialogProps {
  readonly keys: readonly SigningKey[];
  readonly onClose: () => void;
}

/** Publishes the next key, of one algorithm or of each. */
export function RotateDialog({ keys, onClose }: RotateDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [wanted, setWanted] = useState('');
  const [now, setNow] = useState(false);
  const algorithms = [
    ...new Set(keys.filter(({ state }) => state === 'signing').map((key) => key.algorithm)),
  ];
  const algorithm = algorithms.find((each) => each === wanted);

  async function rotate() {
    const next = await admin.signingKeys.rotate({ now, ...(algorithm && { algorithm }) });
    notify(t('keys.rotate.done', { count: next.keys.length }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('keys.rotate.title')}
      action={t('keys.rotate.action')}
      isHarmless={!now}
      onConfirm={rotate}
      onClose={onClose}
    >
      {algorithms.length > 1 && (
        <Select
          label={t('keys.algorithm')}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          data={[
            { value: '', label: t('keys.rotate.all') },
            ...algorithms.map((each) => ({ value: each, label: each })),
          ]}
        />
      )}
      <ul className="consequences">
        <Succession isAtOnce={now} />
      </ul>
      <Switch
        label={t('keys.now')}
        description={t('keys.nowAbout', { seconds: keySetMaxAge })}
        checked={now}
        onChange={({ currentTarget }) => setNow(currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}

/** What happens when a key follows another, and when. */
function Succession({ isAtOnce = false }: { readonly isAtOnce?: boolean }) {
  const [now] = useState(() => Date.now());
  const signs = isAtOnce ? now : now + publicationLead;
  return (
    <>
      <li>{isAtOnce ? t('keys.next.atOnce') : t('keys.next.published', { time: timeText(signs) })}</li>
      <li>{t('keys.next.before', { time: timeText(signs + publishedAfter) })}</li>
    </>
  );
}

/** Lets another key follow, or takes back one that does not sign yet. */
export function RetireDialog({ signingKey: { kid, state }, onClose }: OfKey) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [now] = useState(() => Date.now());

  async function retire() {
    await admin.signingKeys.retire({ kid });
    notify(t('keys.retire.done', { kid }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('keys.retire.title', { kid })}
      action={t('keys.retire')}
      isHarmless
      onConfirm={retire}
      onClose={onClose}
    >
      <ul className="consequences">
        {state === 'signing' ? (
          <Succession />
        ) : (
          <li>{t('keys.retire.waiting', { time: timeText(now + publishedAfter) })}</li>
        )}
      </ul>
    </ConfirmDialog>
  );
}

interface CompromisedDialogProps extends OfKey {
  /** The private half is still in the key management system, under this name. */
  readonly onRemaining: (remaining: RemainingKey) => void;
}

export interface RemainingKey {
  readonly kid: string;
  readonly reference: string;
}

/** Refuses every token of a key. */
export function CompromisedDialog({
  signingKey: { kid, signsFrom },
  onRemaining,
  onClose,
}: CompromisedDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function end() {
    const { remaining } = await admin.signingKeys.retire({ kid, compromised: true });
    notify(t('keys.compromised.done', { kid }));
    if (remaining !== null) onRemaining({ kid, reference: remaining });
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('keys.compromised.title', { kid })}
      action={t('keys.compromised.action')}
      typed={kid}
      onConfirm={end}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>{t('keys.compromised.tokens', { time: timeText(signsFrom) })}</li>
        <li>{t('keys.compromised.where', { seconds: keySetMaxAge })}</li>
        <li>{t('keys.compromised.key')}</li>
      </ul>
    </ConfirmDialog>
  );
}

interface RemainingDialogProps {
  readonly remaining: RemainingKey;
  readonly onClose: () => void;
}

/** It stays until it is read: what it asks for, the server cannot do. */
export function RemainingDialog({ remaining: { kid, reference }, onClose }: RemainingDialogProps) {
  return (
    <Dialog title={t('keys.compromised.done', { kid })} onClose={onClose}>
      <p className="warning">{rich('keys.compromised.remaining', { reference: <code>{reference}</code> })}</p>
    </Dialog>
  );
}

/** For those who verify tokens without the JWKS. */
export function PublicKeyDialog({ signingKey: { kid, publicKey, publicKeyPem }, onClose }: OfKey) {
  return (
    <Dialog title={t('keys.public', { kid })} onClose={onClose} isWide>
      <CodeBlock text={JSON.stringify(publicKey, null, 2)} what="JSON Web Key" />
      <CodeBlock text={publicKeyPem} what="PEM" />
    </Dialog>
  );
}

/** Replaces the keys that seal forms, because another party has them. */
export function RenewDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();

  async function renew() {
    await admin.sealingKeys.renew();
    notify(t('keys.seal.done'));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('keys.seal.ask')}
      action={t('keys.seal.action')}
      onConfirm={renew}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>{t('keys.seal.forms')}</li>
        <li>{t('keys.seal.counts')}</li>
        <li>{t('keys.seal.stay')}</li>
      </ul>
    </ConfirmDialog>
  );
}
