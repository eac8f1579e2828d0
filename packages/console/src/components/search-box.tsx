import { CloseButton, TextInput } from '@mantine/core';
import { Icon } from './icon.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <TextInput
      type="search"
      className="search-box"
      size="xs"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      leftSection={<Icon name="search" />}
      rightSection={
        value === '' ? undefined : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => onChange('')} />
        )
      }
    />
  );
}
