import { Input, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentence } from '../rules/problems.ts';
import type { RecordForm } from './use-record-form.ts';

type NamesOf<Fields, Value> = Extract<
  { [Name in keyof Fields]: Fields[Name] extends Value ? Name : never }[keyof Fields],
  string
>;

interface FieldProps<Fields, Value> {
  readonly form: RecordForm<Fields>;
  readonly name: NamesOf<Fields, Value>;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
}

/** Everything that is wrong with a field, below it. */
export function problemText(label: string, problems: readonly string[]): ReactNode {
  if (problems.length === 0) return undefined;
  return problems.map((problem) => (
    <span key={problem} className="field-problem">
      {sentence(label, problem)}
    </span>
  ));
}

interface TextFieldProps<Fields> extends FieldProps<Fields, string> {
  readonly type?: 'text' | 'email' | 'url';
  readonly isLong?: boolean;
  readonly placeholder?: string;
}

export function TextField<Fields>(props: TextFieldProps<Fields>) {
  const { form, name, label, hint, isRequired = false, isDisabled = false, isLong = false } = props;
  const common = {
    label,
    description: hint,
    error: problemText(label, form.problemsOf(name)),
    value: form.values[name] as string,
    withAsterisk: isRequired,
    'aria-required': isRequired || undefined,
    disabled: isDisabled,
    placeholder: props.placeholder,
    onBlur: () => form.leave(name),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      form.set(name, currentTarget.value as Fields[typeof name]),
  } as const;
  return isLong ? (
    <Textarea size="sm" autosize={false} rows={3} {...common} />
  ) : (
    // Its own kind of input would refuse with a text of the browser's, and not by our rules.
    <TextInput
      size="sm"
      inputMode={props.type ?? 'text'}
      autoComplete="off"
      spellCheck={props.type === undefined}
      {...common}
    />
  );
}

/** One member on each line. */
export function LinesField<Fields>({
  form,
  name,
  label,
  hint,
  placeholder,
  rows = 3,
  isDisabled = false,
}: FieldProps<Fields, readonly string[]> & { readonly placeholder?: string; readonly rows?: number }) {
  const lines = form.values[name] as readonly string[];
  return (
    <Textarea
      key={form.generation}
      size="sm"
      rows={Math.max(rows, Math.min(lines.length + 1, 12))}
      label={label}
      description={hint}
      placeholder={placeholder}
      disabled={isDisabled}
      error={problemText(label, form.problemsOf(name))}
      classNames={{ input: 'code-input' }}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      defaultValue={lines.join('\n')}
      onBlur={() => form.leave(name)}
      onChange={({ currentTarget }) => form.set(name, linesOf(currentTarget.value) as Fields[typeof name])}
    />
  );
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function SwitchField<Fields>({
  form,
  name,
  label,
  hint,
  isDisabled = false,
}: FieldProps<Fields, boolean>) {
  return (
    <Switch
      size="sm"
      label={label}
      description={hint}
      disabled={isDisabled}
      error={problemText(label, form.problemsOf(name))}
      checked={form.values[name] as boolean}
      onChange={({ currentTarget }) => form.set(name, currentTarget.checked as Fields[typeof name])}
    />
  );
}

/** A group of controls with a name, a hint and what is wrong. */
export function FieldGroup({
  label,
  hint,
  problems,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problems: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="field-group">
      <legend>{label}</legend>
      {hint !== undefined && <Input.Description size="sm">{hint}</Input.Description>}
      {children}
      {problems.length > 0 && <Input.Error size="sm">{problemText(label, problems)}</Input.Error>}
    </fieldset>
  );
}
