import { type ChangeEventHandler, type ReactNode, useId } from 'react';
import { useFieldTexts } from './field.tsx';

interface CheckboxProps {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  /** What is wrong with the value. */
  readonly error?: ReactNode;
  readonly disabled?: boolean;
  readonly checked: boolean;
  readonly onChange: ChangeEventHandler<HTMLInputElement>;
}

export function Checkbox(props: CheckboxProps) {
  return <Choice {...props} type="checkbox" className="checkbox" />;
}

/** A checkbox for what is on or off. */
export function Switch(props: CheckboxProps) {
  return <Choice {...props} type="checkbox" role="switch" className="switch" />;
}

interface RadioGroupProps {
  readonly label: string;
  /** The chosen one; `undefined` while none is. */
  readonly value: string | undefined;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly description: string;
  }[];
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** One of several, each with a description. */
export function RadioGroup({ label, value, options, disabled = false, onChoose }: RadioGroupProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className="choices">
      {options.map((option) => (
        <Choice
          key={option.value}
          type="radio"
          name={name}
          className="radio"
          label={option.label}
          description={option.description}
          disabled={disabled}
          checked={option.value === value}
          onChange={() => onChoose(option.value)}
        />
      ))}
    </div>
  );
}

interface ChoiceProps extends CheckboxProps {
  readonly type: 'checkbox' | 'radio';
  readonly role?: 'switch';
  readonly name?: string;
  readonly className: string;
}

function Choice({ label, description, error, ...input }: ChoiceProps) {
  const texts = useFieldTexts({ description, error });
  return (
    <div className="choice">
      <input {...input} {...texts.links} />
      <div>
        <label htmlFor={texts.links.id}>{label}</label>
        {texts.description}
        {texts.error}
      </div>
    </div>
  );
}

interface SegmentedControlProps {
  readonly 'aria-label': string;
  readonly value: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** One of a few, side by side. */
export function SegmentedControl({ value, data, onChange, ...named }: SegmentedControlProps) {
  const name = useId();
  return (
    <div {...named} role="radiogroup" className="segments">
      {data.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
