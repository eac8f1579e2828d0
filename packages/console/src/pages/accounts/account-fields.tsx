import type { AccountFields } from '@watchword/admin-client';
import { useState } from 'react';
import { Checkbox } from '../../controls/choices.tsx';
import { Textarea, TextInput } from '../../controls/inputs.tsx';
import { problemText } from '../../forms/fields.tsx';
import { t } from '../../texts/texts.ts';
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
      {...(name === 'email' && { inputMode: 'email', spellCheck: 'false' })}
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

const texts = [
  'givenName',
  'familyName',
  'nickname',
  'phoneNumber',
  'picture',
  'locale',
  'zoneinfo',
] as const;
const addressParts = [
  'streetAddress',
  'postalCode',
  'locality',
  'region',
  'country',
  'formatted',
] as const satisfies readonly (keyof AccountFields['address'])[];

/** What the server can say of the person beside name and e-mail address. It is folded, because most accounts have none of it. */
function PersonFields({ typed, problems, onChange }: AccountFieldsProps) {
  const isWrong = [...texts, 'phoneNumberVerified', 'address'].some((name) => problems[name] !== undefined);
  const [isOpen, setOpen] = useState(hasPersonFields(typed));
  const input = (name: (typeof texts)[number], hint?: string) => (
    <TextInput
      label={t(`account.${name}`)}
      description={hint}
      value={typed[name]}
      error={problemText(t(`account.${name}`), problems[name] ?? [])}
      autoComplete="off"
      onChange={({ currentTarget }) =>
        onChange({
          ...typed,
          [name]: currentTarget.value,
          ...(name === 'phoneNumber' && { phoneNumberVerified: false }),
        })
      }
    />
  );
  return (
    <details
      className="more-fields"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('account.person')}</summary>
      <div className="stack">
        {input('givenName')}
        {input('familyName')}
        {input('nickname')}
        {input('phoneNumber', t('account.phoneNumberHint'))}
        <Checkbox
          label={t('account.phoneNumberVerified')}
          checked={typed.phoneNumberVerified}
          disabled={typed.phoneNumber.trim() === ''}
          onChange={({ currentTarget }) => onChange({ ...typed, phoneNumberVerified: currentTarget.checked })}
        />
        {input('picture', t('account.pictureHint'))}
        {input('locale', t('account.localeHint'))}
        {input('zoneinfo', t('account.zoneinfoHint'))}
        <fieldset className="field-group">
          <legend>{t('account.address')}</legend>
          {addressParts.map((part) => (
            <AddressPart key={part} part={part} typed={typed} onChange={onChange} />
          ))}
          {problemText(t('account.address'), problems.address ?? [])}
        </fieldset>
      </div>
    </details>
  );
}

interface AddressPartProps extends Pick<AccountFieldsProps, 'typed' | 'onChange'> {
  readonly part: (typeof addressParts)[number];
}

function AddressPart({ part, typed, onChange }: AddressPartProps) {
  const common = {
    label: t(`account.address.${part}`),
    value: typed.address[part] ?? '',
    autoComplete: 'off',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...typed, address: { ...typed.address, [part]: currentTarget.value } }),
  };
  return part === 'formatted' ? (
    <Textarea rows={3} description={t('account.address.formattedHint')} {...common} />
  ) : (
    <TextInput {...common} />
  );
}

function hasPersonFields(typed: TypedAccount): boolean {
  return texts.some((name) => typed[name] !== '') || Object.values(typed.address).some((part) => part !== '');
}
