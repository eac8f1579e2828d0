import type { ReactNode } from 'react';
import { Switch } from '../controls/choices.tsx';
import { Select, Textarea, TextInput } from '../controls/inputs.tsx';
import { sentence } from '../rules/problems.ts';
import { violationText } from '../rules/server-texts.ts';
import type { RecordForm } from './use-record-form.ts';

type NamesOf<Fields, Value> = Extract<
  { [Name in keyof Fields]: Fields[Name] extends Value ? Name : never }[keyof Fields],
  string
>;

interface FieldProps<Fields, Value> {
  readonly form: RecordForm<Fields>;
  readonly name: NamesOf<Fields, Value>;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
}

/** Everything that is wrong with a field, below it. */
export function problemText(label: string, problems: readonly string[]): ReactNode {
  if (problems.length === 0) return undefined;
  return problems.map((problem) => (
    <span key={problem} className="field-problem">
      {sentence(label, violationText(problem) ?? problem)}
    </span>
  ));
}

interface TextFieldProps<Fields> extends FieldProps<Fields, string> {
  readonly type?: 'text' | 'email' | 'url';
  readonly isLong?: boolean;
  readonly placeholder?: string;
}

export function TextField<Fields>(props: TextFieldProps<Fields>) {
  const { form, name, hint, isRequired = false, isDisabled = false, isLong = false } = props;
  const label = form.labels[name];
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
    <Textarea rows={3} {...common} />
  ) : (
    // An input of type e-mail or URL would show errors of the browser, and not those of our rules.
    <TextInput
      inputMode={props.type ?? 'text'}
      autoComplete="off"
      spellCheck={props.type === undefined ? 'true' : 'false'}
      {...common}
    />
  );
}

interface LinesFieldProps<Fields> extends FieldProps<Fields, string> {
  readonly placeholder?: string;
}

const fewestLines = 3;
const mostLines = 12;

/** One member on each line. */
export function LinesField<Fields>(props: LinesFieldProps<Fields>) {
  const { form, name, hint, placeholder, isDisabled = false } = props;
  const text = form.values[name] as string;
  return (
    <Textarea
      rows={Math.max(fewestLines, Math.min(text.split('\n').length + 1, mostLines))}
      label={form.labels[name]}
      description={hint}
      placeholder={placeholder}
      disabled={isDisabled}
      error={problemText(form.labels[name], form.problemsOf(name))}
      isCode
      spellCheck="false"
      autoCapitalize="off"
      autoComplete="off"
      value={text}
      onBlur={() => form.leave(name)}
      onChange={({ currentTarget }) => form.set(name, currentTarget.value as Fields[typeof name])}
    />
  );
}

interface SelectFieldProps<Fields> extends FieldProps<Fields, string> {
  readonly options: readonly { readonly value: Fields[NamesOf<Fields, string>]; readonly label: string }[];
}

/** One of a few. */
export function SelectField<Fields>(props: SelectFieldProps<Fields>) {
  const { form, name, hint, options, isDisabled = false } = props;
  const label = form.labels[name];
  return (
    <Select
      label={label}
      description={hint}
      disabled={isDisabled}
      error={problemText(label, form.problemsOf(name))}
      data={options as readonly { readonly value: string; readonly label: string }[]}
      value={form.values[name] as string}
      onChange={({ currentTarget }) => form.set(name, currentTarget.value as Fields[typeof name])}
    />
  );
}

interface SwitchFieldProps<Fields> extends FieldProps<Fields, boolean> {
  /** Values of other fields that follow from each change of this one. */
  readonly also?: Partial<Fields>;
}

export function SwitchField<Fields>(props: SwitchFieldProps<Fields>) {
  const { form, name, hint, also, isDisabled = false } = props;
  const label = form.labels[name];
  return (
    <Switch
      label={label}
      description={hint}
      disabled={isDisabled}
      error={problemText(label, form.problemsOf(name))}
      checked={form.values[name] as boolean}
      onChange={({ currentTarget }) =>
        form.change({ ...also, [name]: currentTarget.checked } as Partial<Fields>)
      }
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
      {hint !== undefined && <div className="field-hint">{hint}</div>}
      {children}
      {problems.length > 0 && <div className="field-error">{problemText(label, problems)}</div>}
    </fieldset>
  );
}
