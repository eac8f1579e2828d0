import { Icon } from '../components/icon.tsx';
import { Button } from '../controls/button.tsx';
import type { Attribute, TypedClient } from '../rules/typed-client.ts';
import { t } from '../texts/texts.ts';
import { FieldGroup } from './fields.tsx';
import { PairRow } from './pair-row.tsx';
import type { RecordForm } from './use-record-form.ts';

interface AttributesFieldProps {
  readonly form: RecordForm<TypedClient>;
  readonly isDisabled?: boolean;
}

/** Texts by name. */
export function AttributesField({ form, isDisabled = false }: AttributesFieldProps) {
  const { attributes } = form.values;
  const change = (next: readonly Attribute[]) => form.change({ attributes: next });
  const edit = (at: number, changes: Partial<Attribute>) =>
    change(attributes.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <FieldGroup
      label={form.labels.attributes}
      hint={t('attributes.hint')}
      problems={form.problemsOf('attributes')}
    >
      {attributes.map(({ name, value }, index) => (
        <PairRow
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={index}
          pair={{ name, value }}
          nameLabel={t('attributes.name')}
          valueLabel={name === '' ? t('attributes.value') : t('attributes.valueOf', { name })}
          removeLabel={name === '' ? t('attributes.remove') : t('attributes.removeOf', { name })}
          namePlaceholder={t('attributes.nameExample')}
          valuePlaceholder={t('attributes.valueExample')}
          isDisabled={isDisabled}
          onChange={(changes) => edit(index, changes)}
          onRemove={() => change(attributes.filter((_, at) => at !== index))}
          onLeave={() => form.leave('attributes')}
        />
      ))}
      {!isDisabled && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" />}
          onClick={() => change([...attributes, { name: '', value: '' }])}
        >
          {t('attributes.add')}
        </Button>
      )}
    </FieldGroup>
  );
}
