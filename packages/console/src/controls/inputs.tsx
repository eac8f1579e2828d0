import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';
import { Field, type FieldFrame } from './field.tsx';
import { Icon } from './icon.tsx';

type Framed<Attributes> = FieldFrame &
  Omit<Attributes, keyof FieldFrame | 'spellCheck'> & {
    /** As text: Preact leaves out an attribute that is `false`. */
    readonly spellCheck?: 'true' | 'false';
  };

type TextInputProps = Framed<InputHTMLAttributes<HTMLInputElement>> & {
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
};

export function TextInput({ leftSection, rightSection, ...props }: TextInputProps) {
  const { frame, others } = framed(props);
  return (
    <Field {...frame}>
      {(links) => (
        <div className="input">
          {leftSection !== undefined && <span className="input-start">{leftSection}</span>}
          <input type="text" {...others} {...links} />
          {rightSection !== undefined && <span className="input-end">{rightSection}</span>}
        </div>
      )}
    </Field>
  );
}

type TextareaProps = Framed<TextareaHTMLAttributes<HTMLTextAreaElement>> & {
  /** It has text for programs. */
  readonly isCode?: boolean;
};

export function Textarea({ isCode = false, ...props }: TextareaProps) {
  const { frame, others } = framed(props);
  return (
    <Field {...frame}>
      {(links) => (
        <div className="input">
          <textarea {...others} {...links} {...(isCode && { className: 'code-input' })} />
        </div>
      )}
    </Field>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
  /** BCP 47, where it is not that of the page. */
  readonly lang?: string;
}

type SelectProps = Framed<SelectHTMLAttributes<HTMLSelectElement>> & {
  readonly data: readonly Option[];
};

export function Select({ data, ...props }: SelectProps) {
  const { frame, others } = framed(props);
  return (
    <Field {...frame}>
      {(links) => (
        <div className="input">
          <select {...others} {...links}>
            {data.map(({ value, label, lang }) => (
              <option key={value} value={value} lang={lang}>
                {label}
              </option>
            ))}
          </select>
          <span className="input-end">
            <Icon name="down" />
          </span>
        </div>
      )}
    </Field>
  );
}

function framed<Props extends FieldFrame>({
  label,
  description,
  error,
  withAsterisk,
  isDescribedBelow,
  size,
  className,
  ...others
}: Props) {
  const frame = { label, description, error, withAsterisk, isDescribedBelow, size, className } as FieldFrame;
  return { frame, others };
}
