import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { FieldGroup } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface WithAttributes {
  readonly attributes: Readonly<Record<string, string>>;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Texts by name. */
export function AttributesField<Fields extends WithAttributes>(props: {
  readonly form: RecordForm<Fields>;
  readonly isDisabled?: boolean;
}) {
  return <Rows key={props.form.generation} {...props} />;
}

function Rows<Fields extends WithAttributes>({
  form,
  isDisabled = false,
}: {
  readonly form: RecordForm<Fields>;
  readonly isDisabled?: boolean;
}) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(form.values.attributes).map(([name, value], id) => ({ id, name, value })),
  );
  const change = (next: readonly Row[]) => {
    setRows(next);
    const attributes = Object.fromEntries(
      next.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
    );
    form.change({ attributes } as unknown as Partial<Fields>);
  };
  const edit = (id: number, changes: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  return (
    <FieldGroup
      label="Attributes"
      hint="Read by authentication modules, as they define them."
      problems={form.problemsOf('attributes' as Extract<keyof Fields, string>)}
    >
      {rows.map(({ id, name, value }) => (
        <div key={id} className="attribute">
          <TextInput
            size="sm"
            aria-label="Name of the attribute"
            placeholder="name"
            value={name}
            disabled={isDisabled}
            onChange={({ currentTarget }) => edit(id, { name: currentTarget.value })}
          />
          <TextInput
            size="sm"
            aria-label={`Value of ${name || 'the attribute'}`}
            placeholder="value"
            value={value}
            disabled={isDisabled}
            onChange={({ currentTarget }) => edit(id, { value: currentTarget.value })}
          />
          {!isDisabled && (
            <ActionIcon
              aria-label={`Remove ${name || 'the attribute'}`}
              onClick={() => change(rows.filter((row) => row.id !== id))}
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
          onClick={() => setRows([...rows, { id: nextId(rows), name: '', value: '' }])}
        >
          Add an attribute
        </Button>
      )}
    </FieldGroup>
  );
}

function nextId(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ id }) => id)) + 1;
}
