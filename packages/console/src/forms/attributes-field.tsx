import { Button } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import type { Attribute, TypedClient } from '../rules/typed-client.ts';
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
      hint="Read by authentication modules, as they define them."
      problems={form.problemsOf('attributes')}
    >
      {attributes.map(({ name, value }, index) => (
        <PairRow
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={index}
          pair={{ name, value }}
          nameLabel="Name of the attribute"
          valueLabel={`Value of ${name || 'the attribute'}`}
          removeLabel={`Remove ${name || 'the attribute'}`}
          namePlaceholder="name"
          valuePlaceholder="value"
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
          Add an attribute
        </Button>
      )}
    </FieldGroup>
  );
}
