import type { ReactNode } from 'react';
import { SegmentedControl } from '../../controls/choices.tsx';
import { Select, Textarea, TextInput } from '../../controls/inputs.tsx';
import { problemText } from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import type { Problems } from '../../rules/problems.ts';
import { t } from '../../texts/texts.ts';
import {
  isShown,
  type KindMetadata,
  type KindSetting,
  kindLabel,
  kinds,
  presetChoices,
  type SettingName,
} from './kinds.ts';
import { type FormField, nameFrom, type TypedAuthenticator } from './typed-authenticator.ts';

interface AuthenticatorFormProps {
  readonly typed: TypedAuthenticator;
  readonly problems: Problems<FormField>;
  readonly isNew: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (typed: TypedAuthenticator) => void;
  readonly onSubmit: () => void;
  /** The foot of the form. */
  readonly children: ReactNode;
}

export function AuthenticatorForm(props: AuthenticatorFormProps) {
  const { typed, problems, isNew, isDisabled = false, onChange, onSubmit, children } = props;
  const kind = kinds[typed.kind];
  const error = (name: FormField, label: string) => problemText(label, problems[name] ?? []);
  const set = (name: SettingName, value: string) =>
    onChange({ ...typed, settings: { ...typed.settings, [name]: value } });
  const setting = (each: KindSetting) => (
    <SettingInput
      key={each.name}
      setting={each}
      value={typed.settings[each.name] ?? ''}
      error={error(each.name, t(`provider.field.${each.name}`))}
      isDisabled={isDisabled}
      onChange={(value) => set(each.name, value)}
    />
  );
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <FormSection title={t('providers.name')}>
        {isNew && (
          <KindChoice value={typed.kind} onChange={(chosen) => onChange({ ...typed, kind: chosen })} />
        )}
        <TextInput
          label={t('provider.label')}
          error={error('label', t('provider.label'))}
          autoComplete="off"
          withAsterisk
          aria-required
          disabled={isDisabled}
          value={typed.label}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...typed, label: value, ...renamed(typed, value, isNew) })
          }
        />
        {isNew && (
          <TextInput
            label={t('provider.name')}
            description={t('provider.nameHint')}
            error={error('name', t('provider.name'))}
            autoComplete="off"
            spellCheck="false"
            autoCapitalize="off"
            withAsterisk
            aria-required
            value={typed.name}
            onChange={({ currentTarget }) => onChange({ ...typed, name: currentTarget.value })}
          />
        )}
      </FormSection>
      {kind !== undefined && (
        <>
          <FormSection title={t('provider.otherSide')}>
            {kind.metadata !== undefined && (
              <MetadataInput
                {...kind.metadata}
                source={typed.source}
                isDisabled={isDisabled}
                onChoose={(source) => onChange({ ...typed, source })}
                onRead={set}
                input={setting}
              />
            )}
            {kind.otherSide.filter((each) => isShown(each, typed.settings)).map(setting)}
          </FormSection>
          <FormSection title={t('provider.rules')} lead={t('provider.rulesLead')}>
            {kind.rules.map(setting)}
          </FormSection>
        </>
      )}
      {children}
    </form>
  );
}

interface KindChoiceProps {
  readonly value: string;
  readonly onChange: (kind: string) => void;
}

function KindChoice({ value, onChange }: KindChoiceProps) {
  return (
    <SegmentedControl
      aria-label={t('provider.kind')}
      value={value}
      data={Object.keys(kinds).map((kind) => ({ value: kind, label: kindLabel(kind, null) }))}
      onChange={onChange}
    />
  );
}

interface MetadataInputProps extends KindMetadata {
  readonly source: TypedAuthenticator['source'];
  readonly isDisabled: boolean;
  readonly onChoose: (source: TypedAuthenticator['source']) => void;
  readonly onRead: (name: SettingName, text: string) => void;
  readonly input: (setting: KindSetting) => ReactNode;
}

/** Describes the other side, in one of two ways. */
function MetadataInput(props: MetadataInputProps) {
  const { url, text, file, source, isDisabled, onChoose, onRead, input } = props;
  return (
    <>
      <SegmentedControl
        aria-label={t('provider.otherSide')}
        value={source}
        data={[
          { value: 'url', label: t('provider.byUrl') },
          { value: 'text', label: t('provider.byText') },
        ]}
        onChange={(chosen) => onChoose(chosen === 'text' ? 'text' : 'url')}
      />
      {source === 'url' ? (
        input({ name: url, type: 'text', placeholder: 'https://…' })
      ) : (
        <>
          {!isDisabled && <FileInput accept={file} onRead={(read) => onRead(text, read)} />}
          {input({ name: text, type: 'code', placeholder: '<EntityDescriptor …>' })}
        </>
      )}
    </>
  );
}

/** The name follows the label until it is typed itself. */
function renamed({ label, name }: TypedAuthenticator, next: string, isNew: boolean) {
  return isNew && name === nameFrom(label) ? { name: nameFrom(next) } : {};
}

const hinted = [
  'nameFrom',
  'stableIdFrom',
  'adminGroup',
  'clientSecret',
  'keepGroups',
  'emailDomains',
  'preset',
  'tenant',
  'tenants',
  'privateKey',
  'linkByVerifiedAddress',
  'mfaValues',
  'phrValues',
] as const satisfies readonly SettingName[];

interface SettingInputProps {
  readonly setting: KindSetting;
  readonly value: string;
  readonly error: ReactNode;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function SettingInput({ setting, value, error, isDisabled, onChange }: SettingInputProps) {
  const { name, type, placeholder } = setting;
  const hint = hinted.find((each) => each === name);
  const common = {
    label: t(`provider.field.${name}`),
    description: hint && t(`provider.hint.${hint}`),
    error,
    placeholder,
    disabled: isDisabled,
    spellCheck: 'false',
    autoCapitalize: 'off',
    autoComplete: 'off',
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  } as const;
  if (type === 'preset') return <Select {...common} data={presetChoices()} />;
  if (type === 'text') return <TextInput {...common} />;
  if (type === 'secret') return <TextInput {...common} type="password" autoComplete="new-password" />;
  const rows = Math.max(type === 'code' ? 4 : 2, Math.min(value.split('\n').length, 8));
  return <Textarea rows={rows} isCode {...common} />;
}

interface FileInputProps {
  readonly accept: string;
  readonly onRead: (text: string) => void;
}

function FileInput({ accept, onRead }: FileInputProps) {
  return (
    <TextInput
      type="file"
      aria-label={t('provider.byText')}
      accept={accept}
      onChange={async ({ currentTarget: { files } }) => {
        const text = await files?.[0]?.text();
        if (text !== undefined) onRead(text);
      }}
    />
  );
}
