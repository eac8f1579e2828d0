import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import type { Attribute, TypedClient } from '../rules/typed-client.ts';
import { FieldGroup } from './fields.tsx';
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
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
        <div key={index} className="attribute">
          <TextInput
            size="sm"
            aria-label="Name of the attribute"
            placeholder="name"
            value={name}
            disabled={isDisabled}
            onBlur={() => form.leave('attributes')}
            onChange={({ currentTarget }) => edit(index, { name: currentTarget.value })}
          />
          <TextInput
            size="sm"
            aria-label={`Value of ${name || 'the attribute'}`}
            placeholder="value"
            value={value}
            disabled={isDisabled}
            onChange={({ currentTarget }) => edit(index, { value: currentTarget.value })}
          />
          {!isDisabled && (
            <ActionIcon
              aria-label={`Remove ${name || 'the attribute'}`}
              onClick={() => change(attributes.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          )}
        </div>
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
