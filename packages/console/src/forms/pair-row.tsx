import { IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { TextInput } from '../controls/inputs.tsx';
import type { Attribute } from '../rules/typed-client.ts';

interface PairRowProps {
  readonly pair: Attribute;
  readonly nameLabel: string;
  readonly valueLabel: string;
  readonly removeLabel: string;
  readonly namePlaceholder: string;
  readonly valuePlaceholder: string;
  readonly isDisabled: boolean;
  readonly onChange: (changes: Partial<Attribute>) => void;
  readonly onRemove: () => void;
  readonly onLeave: () => void;
}

/** A name and a text beside it. */
export function PairRow(props: PairRowProps) {
  const { pair, isDisabled, onChange, onLeave } = props;
  return (
    <div className="attribute">
      <TextInput
        aria-label={props.nameLabel}
        placeholder={props.namePlaceholder}
        value={pair.name}
        disabled={isDisabled}
        onBlur={onLeave}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        aria-label={props.valueLabel}
        placeholder={props.valuePlaceholder}
        value={pair.value}
        disabled={isDisabled}
        onBlur={onLeave}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      {!isDisabled && (
        <IconButton aria-label={props.removeLabel} onClick={props.onRemove}>
          <Icon name="close" />
        </IconButton>
      )}
    </div>
  );
}
