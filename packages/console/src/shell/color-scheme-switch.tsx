import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { t } from '../texts/texts.ts';

const schemes = ['auto', 'light', 'dark'] as const;

/** Goes round: as the system has it, light, dark. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const label = t(`colours.${colorScheme}`);
  const next = schemes[(schemes.indexOf(colorScheme) + 1) % schemes.length] ?? 'auto';
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setColorScheme(next)}>
      <Icon name={colorScheme} />
    </ActionIcon>
  );
}
