import { Icon } from '../components/icon.tsx';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/inputs.tsx';
import type { Attribute } from '../rules/typed-client.ts';
import { languageOf, scopeOf, type TypedResourceServer } from '../rules/typed-resource-server.ts';
import { t } from '../texts/texts.ts';
import { FieldGroup } from './fields.tsx';
import { PairRow } from './pair-row.tsx';
import type { RecordForm } from './use-record-form.ts';

interface ScopeTextsFieldProps {
  readonly form: RecordForm<TypedResourceServer>;
  readonly isDisabled?: boolean;
}

/** What each scope means for users, in one or several languages. */
export function ScopeTextsField({ form, isDisabled = false }: ScopeTextsFieldProps) {
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
