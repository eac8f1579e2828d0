import { identifierOf, identifierPattern } from '../../../protocol/src/model/identifier.ts';
import { problem, type Rules } from '../rules/problems.ts';
import { t } from '../texts/texts.ts';
import { TextField } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

/** The identifier of a new record, as a form has it: `''` until the user chooses one. */
type Identified<Name extends 'key' | 'clientId'> = Readonly<Record<Name, string>>;

interface IdentifierFieldProps<Name extends 'key' | 'clientId'> {
  readonly form: RecordForm<Identified<Name>>;
  readonly name: Name;
  /** The name from which it is made otherwise, and what it is if nothing of that is left. */
  readonly from: string;
  readonly fallback: string;
}

/** Shows the identifier that is made from the name, in whose place the user can choose another one. */
export function IdentifierField<Name extends 'key' | 'clientId'>(props: IdentifierFieldProps<Name>) {
  const { form, name, from, fallback } = props;
  const made = from.trim() === '' ? '' : identifierOf(from.trim(), fallback);
  return (
    <TextField<Readonly<Record<string, string>>>
      form={form as unknown as RecordForm<Readonly<Record<string, string>>>}
      name={name}
      type="url"
      hint={t('form.identifierHint')}
      placeholder={made}
    />
  );
}

/** Adds the rule of the identifier to those of the record. */
export function withIdentifier<Typed extends object, Name extends 'key' | 'clientId'>(
  name: Name,
  rules: Rules<Typed>,
): Rules<Typed & Identified<Name>> {
  return (typed) => {
    const chosen = typed[name].trim();
    const isRight = chosen === '' || identifierPattern.test(chosen);
    const problems = { ...rules(typed), ...(!isRight && { [name]: [problem('rule.identifier')] }) };
    return problems as ReturnType<Rules<Typed & Identified<Name>>>;
  };
}

/** The identifier that was chosen, if one was. */
export function chosenIdentifier(typed: string): string | undefined {
  return typed.trim() || undefined;
}
