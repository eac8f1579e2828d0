import type { AccountFields } from '@watchword/admin-client';
import { Checkbox } from '../../controls/choices.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { problemText } from '../../forms/fields.tsx';
import { t } from '../../texts/texts.ts';

/** The fields of an account as they are typed. */
export interface TypedAccount {
  readonly displayName: string;
  /** Separated by commas. */
  readonly groups: string;
  readonly roles: string;
  readonly adminPrincipal: boolean;
}

export const emptyAccount: TypedAccount = { displayName: '', groups: '', roles: '', adminPrincipal: false };

export function typedAccount({ displayName, groups, roles, adminPrincipal }: AccountFields): TypedAccount {
  return { displayName, groups: groups.join(', '), roles: roles.join(', '), adminPrincipal };
}

/** The fields to send. */
export function fieldsOf({ displayName, groups, roles, adminPrincipal }: TypedAccount) {
  return { displayName: displayName.trim(), groups: members(groups), roles: members(roles), adminPrincipal };
}

function members(text: string): string[] {
  return text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

interface AccountFieldsProps {
  readonly typed: TypedAccount;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (typed: TypedAccount) => void;
}

export function AccountFieldInputs({ typed, problems, onChange }: AccountFieldsProps) {
  const input = (name: 'displayName' | 'groups' | 'roles', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={typed[name]}
      error={problemText(label, [...(problems[name] ?? [])])}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ ...typed, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      {input('displayName', t('account.displayName'), t('account.displayNameHint'))}
      {input('groups', t('account.groups'), t('account.listHint'))}
      {input('roles', t('account.roles'), t('account.listHint'))}
      <Checkbox
        label={t('account.administrator')}
        description={t('account.administratorHint')}
        checked={typed.adminPrincipal}
        onChange={({ currentTarget }) => onChange({ ...typed, adminPrincipal: currentTarget.checked })}
      />
    </>
  );
}
