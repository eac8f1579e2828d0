import { Checkbox } from '../../controls/choices.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { problemText } from '../../forms/fields.tsx';
import { t } from '../../texts/texts.ts';
import { PersonFields } from './person-fields.tsx';
import type { AccountFieldsProps, TypedAccount } from './typed-account.ts';

export function AccountFieldInputs({ typed, problems, onChange }: AccountFieldsProps) {
  const input = (
    name: 'displayName' | 'email' | 'groups' | 'roles',
    label: string,
    description?: string,
    changed: (text: string) => Partial<TypedAccount> = (text) => ({ [name]: text }),
  ) => (
    <TextInput
      label={label}
      description={description}
      value={typed[name]}
      error={problemText(label, [...(problems[name] ?? [])])}
      autoComplete="off"
      {...(name === 'email' && { inputMode: 'email', spellCheck: false })}
      onChange={({ currentTarget }) => onChange({ ...typed, ...changed(currentTarget.value) })}
    />
  );
  return (
    <>
      {input('displayName', t('account.displayName'), t('account.displayNameHint'))}
      {input('email', t('account.email'), undefined, (email) => ({ email, emailVerified: false }))}
      <Checkbox
        label={t('account.emailVerified')}
        description={t('account.emailVerifiedHint')}
        checked={typed.emailVerified}
        disabled={typed.email.trim() === ''}
        onChange={({ currentTarget }) => onChange({ ...typed, emailVerified: currentTarget.checked })}
      />
      {input('groups', t('account.groups'), t('account.listHint'))}
      {input('roles', t('account.roles'), t('account.listHint'))}
      <Checkbox
        label={t('account.administrator')}
        description={t('account.administratorHint')}
        checked={typed.adminPrincipal}
        onChange={({ currentTarget }) => onChange({ ...typed, adminPrincipal: currentTarget.checked })}
      />
      <PersonFields typed={typed} problems={problems} onChange={onChange} />
    </>
  );
}
