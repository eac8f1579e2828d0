import { type ReactNode, useState } from 'react';
import { Button, PlainButton } from '../../controls/button.tsx';
import { RadioGroup } from '../../controls/choices.tsx';
import { Field } from '../../controls/field.tsx';
import { Icon } from '../../controls/icon.tsx';
import { TextInput } from '../../controls/inputs.tsx';
import { onKeys } from '../../controls/keys.ts';
import { ContactSection } from '../../forms/contact-section.tsx';
import {
  FieldGroup,
  LinesField,
  problemText,
  SelectField,
  SwitchField,
  TextField,
} from '../../forms/fields.tsx';
import { FormSection } from '../../forms/form-section.tsx';
import { PairRow } from '../../forms/pair-row.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { Attribute } from '../../rules/typed-client.ts';
import { languageOf, scopeOf, type TypedResourceServer } from '../../rules/typed-resource-server.ts';
import { t } from '../../texts/texts.ts';

interface ResourceServerFormProps {
  readonly form: RecordForm<TypedResourceServer>;
  /** Below the name of a new one. */
  readonly identifier?: ReactNode;
  readonly isDisabled?: boolean;
  /** The server depends on its name and scopes. */
  readonly isSystem?: boolean;
  /** What changing the scopes brings about. */
  readonly scopeNote?: ReactNode;
  readonly children: ReactNode;
}

export function ResourceServerForm({
  form,
  identifier,
  isDisabled = false,
  isSystem = false,
  scopeNote,
  children,
}: ResourceServerFormProps) {
  return (
    <form className="form" noValidate onSubmit={form.submit}>
      <FormSection title={t('server.api.title')} lead={t('server.api.lead')}>
        <TextField
          form={form}
          name="name"
          hint={t('server.api.nameHint')}
          isRequired
          isDisabled={isDisabled || isSystem}
        />
        {identifier}
        <TextField
          form={form}
          name="description"
          hint={t('server.api.descriptionHint')}
          isLong
          isDisabled={isDisabled}
        />
        <NewScopesField form={form} isDisabled={isDisabled || isSystem} />
        {scopeNote}
        <ScopeTextsField form={form} isDisabled={isDisabled || isSystem} />
      </FormSection>
      <FormSection title={t('server.format.title')} lead={t('server.format.lead')}>
        <TokenFormat form={form} isDisabled={isDisabled || isSystem} />
        <SwitchField
          form={form}
          name="loginDetails"
          hint={t('server.loginDetailsHint')}
          isDisabled={isDisabled}
        />
      </FormSection>
      <OpennessSection form={form} isDisabled={isDisabled || isSystem} />
      <ContactSection form={form} isDisabled={isDisabled} />
      {children}
    </form>
  );
}

/** How requests name it, and which clients of others can use it. */
function OpennessSection({
  form,
  isDisabled,
}: Required<Pick<ResourceServerFormProps, 'form' | 'isDisabled'>>) {
  const { scopes, openScopes, openToClients } = form.values;
  return (
    <FormSection title={t('server.open.title')} lead={t('server.open.lead')}>
      <LinesField
        form={form}
        name="resources"
        hint={t('server.open.resourcesHint')}
        placeholder="https://api.example.com"
        isDisabled={isDisabled}
      />
      <SelectField
        form={form}
        name="openToClients"
        hint={t('server.open.hint')}
        options={[
          { value: 'owner', label: t('server.open.owner') },
          { value: 'administrators', label: t('server.open.administrators') },
          { value: 'everyone', label: t('server.open.everyone') },
        ]}
        isDisabled={isDisabled}
      />
      {openToClients !== 'owner' && (
        <ScopeBoxes
          label={form.labels.openScopes}
          available={scopes}
          chosen={openScopes}
          problems={form.problemsOf('openScopes')}
          isDisabled={isDisabled}
          onChange={(chosen) => form.set('openScopes', chosen)}
        />
      )}
    </FormSection>
  );
}

function TokenFormat({ form, isDisabled }: Required<Pick<ResourceServerFormProps, 'form' | 'isDisabled'>>) {
  const label = form.labels.accessTokenFormat;
  return (
    <FieldGroup label={label} problems={form.problemsOf('accessTokenFormat')}>
      <RadioGroup
        label={label}
        value={form.values.accessTokenFormat}
        options={[
          {
            value: 'opaque',
            label: t('server.format.opaque'),
            description: t('server.format.opaqueHint'),
          },
          { value: 'jwt', label: t('server.format.jwt'), description: t('server.format.jwtHint') },
        ]}
        disabled={isDisabled}
        onChoose={(format) => form.set('accessTokenFormat', format === 'jwt' ? 'jwt' : 'opaque')}
      />
    </FieldGroup>
  );
}

interface ScopesFieldProps {
  readonly form: RecordForm<{ readonly scopes: readonly string[] }>;
  readonly isDisabled?: boolean;
}

/** Scopes that are made up here: typed, and taken by Enter, space or comma. */
function NewScopesField({ form, isDisabled = false }: ScopesFieldProps) {
  const [text, setText] = useState('');
  const scopes = form.values.scopes;
  const setScopes = (next: readonly string[]) => form.set('scopes', [...new Set(next)]);
  const take = (typed: string) => {
    const added = typed.split(/[\s,]+/).filter((scope) => scope !== '');
    if (added.length > 0) setScopes([...scopes, ...added]);
    setText('');
  };
  const onKeyDown = onKeys((event) => {
    if (event.key === 'Enter' || event.key === ' ' || event.key === ',') {
      if (text === '' && event.key === 'Enter') return;
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '') setScopes(scopes.slice(0, -1));
  });
  const label = form.labels.scopes;
  return (
    <Field
      label={label}
      description={t('form.scopesHint')}
      error={problemText(label, form.problemsOf('scopes'))}
    >
      {(links) => (
        <div className="input pills" data-disabled={isDisabled}>
          {scopes.map((scope) => (
            <span key={scope} className="pill">
              {scope}
              {!isDisabled && (
                <PlainButton
                  aria-label={t('form.removeScope', { scope })}
                  onClick={() => setScopes(scopes.filter((other) => other !== scope))}
                >
                  <Icon name="close" />
                </PlainButton>
              )}
            </span>
          ))}
          <input
            {...links}
            value={text}
            disabled={isDisabled}
            placeholder={scopes.length === 0 ? t('form.scopesExample') : ''}
            spellCheck="false"
            autoCapitalize="off"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              event.preventDefault();
              take(text + event.clipboardData.getData('text'));
            }}
            onBlur={() => {
              take(text);
              form.leave('scopes');
            }}
          />
        </div>
      )}
    </Field>
  );
}

interface ScopeTextsFieldProps {
  readonly form: RecordForm<TypedResourceServer>;
  readonly isDisabled?: boolean;
}

/** What each scope means for users, in one or several languages. */
function ScopeTextsField({ form, isDisabled = false }: ScopeTextsFieldProps) {
  const { scopes } = form.values;
  if (scopes.length === 0) return undefined;
  return (
    <FieldGroup
      label={form.labels.scopeTexts}
      hint={t('scopeTexts.hint')}
      problems={form.problemsOf('scopeTexts')}
    >
      {scopes.map((scope) => (
        <ScopeTexts key={scope} form={form} scope={scope} isDisabled={isDisabled} />
      ))}
    </FieldGroup>
  );
}

interface ScopeTextsProps {
  readonly form: RecordForm<TypedResourceServer>;
  readonly scope: string;
  readonly isDisabled: boolean;
}

function ScopeTexts({ form, scope, isDisabled }: ScopeTextsProps) {
  const { scopeTexts } = form.values;
  const change = (next: readonly Attribute[]) => form.change({ scopeTexts: next });
  const leave = () => form.leave('scopeTexts');
  const own = scopeTexts.findIndex(({ name }) => name === scope);
  const remove = (at: number) => change(scopeTexts.filter((_, index) => index !== at));
  const edit = (at: number, changes: Partial<Attribute>) =>
    change(scopeTexts.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <div className="scope-texts">
      <TextInput
        label={<code>{scope}</code>}
        placeholder={t('scopeTexts.example')}
        disabled={isDisabled}
        value={scopeTexts[own]?.value ?? ''}
        onBlur={leave}
        onChange={({ currentTarget: { value } }) => {
          if (own === -1) change([...scopeTexts, { name: scope, value }]);
          else if (value === '') remove(own);
          else edit(own, { value });
        }}
      />
      {scopeTexts.map(({ name, value }, index) =>
        name === scope || scopeOf(name) !== scope ? undefined : (
          <PairRow
            // biome-ignore lint/suspicious/noArrayIndexKey: languages change while the user types them
            key={index}
            pair={{ name: languageOf(name), value }}
            nameLabel={t('scopeTexts.language', { scope })}
            {...labelsOf(scope, languageOf(name))}
            namePlaceholder={t('scopeTexts.languageExample')}
            valuePlaceholder={t('scopeTexts.textExample')}
            isDisabled={isDisabled}
            onChange={({ name: language, ...changes }) =>
              edit(index, {
                ...changes,
                ...(language !== undefined && { name: `${language.replaceAll(/\s/g, '')} ${scope}` }),
              })
            }
            onRemove={() => remove(index)}
            onLeave={leave}
          />
        ),
      )}
      {!isDisabled && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" />}
          aria-label={t('scopeTexts.addFor', { scope })}
          onClick={() => change([...scopeTexts, { name: ` ${scope}`, value: '' }])}
        >
          {t('scopeTexts.add')}
        </Button>
      )}
    </div>
  );
}

function labelsOf(scope: string, language: string) {
  return language === ''
    ? { valueLabel: t('scopeTexts.text', { scope }), removeLabel: t('scopeTexts.remove', { scope }) }
    : {
        valueLabel: t('scopeTexts.textIn', { scope, language }),
        removeLabel: t('scopeTexts.removeIn', { scope, language }),
      };
}
