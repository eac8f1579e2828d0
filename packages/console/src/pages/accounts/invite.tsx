import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Problem } from '../../components/problem.tsx';
import { useIsEarly } from '../../components/use-is-early.ts';
import { Button } from '../../controls/button.tsx';
import { Checkbox } from '../../controls/choices.tsx';
import { Select, TextInput } from '../../controls/inputs.tsx';
import { useEnvironment } from '../../environment.ts';
import { durationText } from '../../format/time.ts';
import { violationsOf } from '../../forms/change-errors.ts';
import { problemText } from '../../forms/fields.tsx';
import { problemsOf } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import { members } from './typed-account.ts';

/** Opens the dialog that invites a person. */
export function Invite() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('invitation.invite')}
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const day = 86_400;
/** Seconds. */
const lifetimes = [day, 7 * day, 30 * day, 90 * day];
const nothingTyped = {
  email: '',
  locale: '',
  groups: '',
  roles: '',
  note: '',
  passkey: false,
  lifetime: String(7 * day),
};
const texts = ['email', 'locale', 'groups', 'roles', 'note'] as const;

/** Makes an invitation, which is mailed, or whose link is shown. */
function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const [typed, setTyped] = useState(nothingTyped);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      admin.invitations.create({
        email: typed.email.trim(),
        locale: typed.locale.trim(),
        groups: members(typed.groups),
        roles: members(typed.roles),
        note: typed.note.trim(),
        passkey: typed.passkey,
        lifetime: Number(typed.lifetime),
      }),
    async onSuccess({ email, mailed }) {
      if (mailed) {
        notify(t('invitation.mailed', { email }));
        onClose();
      }
      await refresh();
    },
  });
  const isEarly = useIsEarly(error);
  if (data?.link !== undefined) return <InvitationLink link={data.link} onClose={onClose} />;
  const violations = violationsOf(error);
  const { byField } = problemsOf(violations, texts);
  const labels = inputTexts();

  function invite(event: FormEvent) {
    event.preventDefault();
    mutate();
  }

  return (
    <Dialog onClose={onClose} title={t('invitation.title')}>
      <form className="stack" onSubmit={invite} noValidate>
        <p className="quiet">{t('invitation.lead')}</p>
        {texts.map((name) => (
          <TextInput
            key={name}
            {...labels[name]}
            value={typed[name]}
            error={problemText(labels[name].label, [...(byField[name] ?? [])])}
            autoComplete="off"
            {...(name === 'email' && { inputMode: 'email', spellCheck: 'false', 'data-autofocus': true })}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
          />
        ))}
        <Checkbox
          label={t('account.passkey')}
          description={t('account.passkeyHint')}
          checked={typed.passkey}
          onChange={({ currentTarget }) => setTyped({ ...typed, passkey: currentTarget.checked })}
        />
        <Select
          label={t('invitation.lifetime')}
          data={lifetimes.map((seconds) => ({ label: durationText(seconds), value: String(seconds) }))}
          value={typed.lifetime}
          onChange={({ currentTarget }) => setTyped({ ...typed, lifetime: currentTarget.value })}
        />
        {error !== null && violations.length === 0 && <Problem error={error} />}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={isEarly}>
            {t('invitation.invite')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const inputTexts = () => ({
  email: { label: t('account.email'), description: t('invitation.emailHint') },
  locale: { label: t('invitation.locale'), description: t('invitation.localeHint') },
  groups: { label: t('account.groups'), description: t('account.listHint') },
  roles: { label: t('account.roles'), description: t('account.listHint') },
  note: { label: t('invitation.note'), description: t('invitation.noteHint') },
});

interface InvitationLinkProps {
  readonly link: string;
  readonly onClose: () => void;
}

function InvitationLink({ link, onClose }: InvitationLinkProps) {
  return (
    <SecretDialog
      shown={{
        title: t('invitation.made'),
        kind: 'invitation',
        secret: link,
        advice: <p>{t('invitation.linkAdvice')}</p>,
      }}
      onClose={onClose}
    />
  );
}
