import { type ReactNode, useId } from 'react';

/** What stands around a control. */
export interface FieldFrame {
  readonly label?: ReactNode;
  readonly description?: ReactNode;
  /** What is wrong with the value. */
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
  /** The description stands below the control. */
  readonly isDescribedBelow?: boolean;
  /** Default: `sm`. */
  readonly size?: 'xs' | 'sm';
  readonly className?: string | undefined;
}

/** What a control needs so that its label, description and error belong to it. */
export interface FieldLinks {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps extends FieldFrame {
  readonly children: (links: FieldLinks) => ReactNode;
}

/** A control with its label, description and error. */
export function Field({
  label,
  withAsterisk = false,
  size = 'sm',
  className = '',
  children,
  ...texts
}: FieldProps) {
  const { links, description, error } = useFieldTexts(texts);
  const { isDescribedBelow = false } = texts;
  return (
    <div className={`field ${className}`} data-size={size}>
      {label !== undefined && (
        <label htmlFor={links.id}>
          {label}
          {withAsterisk && (
            <span className="required" aria-hidden="true">
              {' '}
              *
            </span>
          )}
        </label>
      )}
      {!isDescribedBelow && description}
      {children(links)}
      {isDescribedBelow && description}
      {error}
    </div>
  );
}

interface FieldTexts {
  readonly description?: ReactNode;
  readonly error?: ReactNode;
}

/** The description and the error of a control, and the attributes that link it with them. */
export function useFieldTexts({ description, error }: FieldTexts) {
  const id = useId();
  const hasDescription = description !== undefined;
  const hasError = error !== undefined;
  const describedBy = [...(hasDescription ? [`${id}-hint`] : []), ...(hasError ? [`${id}-error`] : [])].join(
    ' ',
  );
  const links: FieldLinks = {
    id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': hasError || undefined,
  };
  return {
    links,
    description: hasDescription && (
      <div id={`${id}-hint`} className="field-hint">
        {description}
      </div>
    ),
    error: hasError && (
      <div id={`${id}-error`} className="field-error">
        {error}
      </div>
    ),
  };
}
